import { useNavigate, useParams, useRouter, useRouterState, type RouterHistory } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Of an entry of the browser's history that a page has added when it opened a dialog. */
    readonly isOfDialog?: boolean;
  }
}

/** What the address says besides the page: which object, and which tab of it. */
export function useAddress(): { readonly id: string; readonly tab: string | null } {
  // Of the page that asks: while the next one loads, the address is already its own.
  const parameters: unknown = useParams({ strict: false });
  const { id = '' } = parameters as { readonly id?: string };
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  return { id, tab: new URLSearchParams(search).get('tab') };
}

/** Where the browser is now, which may not be drawn yet. */
interface NowAt {
  readonly history: RouterHistory;
  readonly latestLocation: { readonly pathname: string };
}

type Change<Values> = (changed: Partial<Values> | ((now: Values) => Partial<Values>)) => void;

/**
 * Filters and order of a list, kept in the address: going back, or sending it to another person, shows the same.
 * @param standard of each name; it is not written into the address
 * @returns the values as they are drawn, and a function that changes some of them, or makes changes from what they are now: a quick
 * reader changes the next one before the first is drawn
 */
export function useFilters<Values extends Readonly<Record<string, string>>>(
  standard: Values,
): readonly [Values, Change<Values>] {
  const router = useRouter() as NowAt;
  const navigate = useNavigate();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const change: Change<Values> = (changed) => {
    if (router.latestLocation.pathname !== path) {
      // The reader has gone on to another page.
      return;
    }
    const { search: current } = router.history.location;
    const given = Object.fromEntries(new URLSearchParams(current));
    const values = filtersIn(current, standard);
    const next = Object.entries({
      ...given,
      ...values,
      ...(typeof changed === 'function' ? changed(values) : changed),
    }).filter(([name, value]) => value !== standard[name]);
    void navigate({ to: path, search: Object.fromEntries(next), replace: true, resetScroll: false });
  };
  return [filtersIn(search, standard), change];
}

function filtersIn<Values extends Readonly<Record<string, string>>>(search: string, standard: Values): Values {
  const given = new URLSearchParams(search);
  return Object.fromEntries(
    Object.entries(standard).map(([name, value]) => [name, given.get(name) ?? value]),
  ) as Values;
}

interface Dialog {
  readonly isOpen: boolean;
  readonly open: () => void;
  /** Does nothing where it is not open any more. */
  readonly close: () => void;
}

/**
 * A dialog that is an entry of the browser's history: going back closes it and stays on the page. After a sign-in in the middle of
 * it, which comes back to the address, it is open again.
 * @param name once in the page
 */
export function useDialog(name: string): Dialog {
  const { history } = useRouter() as NowAt;
  const navigate = useNavigate();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isOpen = isDialogOf(search, name);
  const isClosing = useRef(false);
  useEffect(() => {
    isClosing.current = false;
  }, [isOpen]);
  const open = () => {
    const next = { ...Object.fromEntries(new URLSearchParams(history.location.search)), dialog: name };
    void navigate({ to: path, search: next, state: { isOfDialog: true }, resetScroll: false });
  };
  const close = () => {
    // As it is now: what was saved is answered when the reader may be on another page.
    const { search: current, state } = history.location;
    if (isClosing.current || !isDialogOf(current, name)) {
      return;
    }
    isClosing.current = true;
    if (state.isOfDialog === true) {
      history.back();
    } else {
      // It was opened with the page: before this entry there is another page.
      const others = [...new URLSearchParams(current)].filter(([one]) => one !== 'dialog');
      void navigate({ to: path, search: Object.fromEntries(others), replace: true, resetScroll: false });
    }
  };
  return { isOpen, open, close };
}

function isDialogOf(search: string, name: string): boolean {
  return new URLSearchParams(search).get('dialog') === name;
}

/** @returns the values that are not empty: what a request takes */
export function chosenOf<Values extends Readonly<Record<string, string>>>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<Values>;
}
