import { useNavigate, useParams, useRouterState } from '@tanstack/react-router';

/** What the address says besides the page: which object, and which tab of it. */
export function useAddress(): { readonly id: string; readonly tab: string | null } {
  // Of the page that asks: while the next one loads, the address is already its own.
  const parameters: unknown = useParams({ strict: false });
  const { id = '' } = parameters as { readonly id?: string };
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  return { id, tab: new URLSearchParams(search).get('tab') };
}

/**
 * Filters and order of a list, kept in the address: going back, or sending it to another person, shows the same.
 * @param standard of each name; it is not written into the address
 * @returns the values, and a function that changes some of them
 */
export function useFilters<Values extends Readonly<Record<string, string>>>(
  standard: Values,
): readonly [Values, (changed: Partial<Values>) => void] {
  const navigate = useNavigate();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const given = new URLSearchParams(search);
  const values = Object.fromEntries(
    Object.entries(standard).map(([name, value]) => [name, given.get(name) ?? value]),
  ) as Values;
  const change = (changed: Partial<Values>) => {
    const next = Object.entries({ ...Object.fromEntries(given), ...values, ...changed }).filter(
      ([name, value]) => value !== standard[name],
    );
    void navigate({ to: path, search: Object.fromEntries(next), replace: true, resetScroll: false });
  };
  return [values, change];
}

/** @returns the values that are not empty: what a request takes */
export function chosenOf<Values extends Readonly<Record<string, string>>>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<Values>;
}
