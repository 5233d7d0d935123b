// Two refusals concern the whole page: the session has ended, and an action wants a recent sign-in.
import { useSyncExternalStore } from 'react';

export type Refusal = 'signed-out' | 'sign-in-again';

let current: Refusal | undefined;
/** From the first refusal on until something is answered, as after a sign-in in another tab. */
let isEnded = false;
/** The reader knows that the session has ended, and looks at what is there, or copies it. */
let isEndKnown = false;
const listeners = new Set<() => void>();

function set(next: Refusal | undefined): void {
  current = next;
  listeners.forEach((listener) => {
    listener();
  });
}

/**
 * Remembers a refusal that only a sign-in resolves.
 * @param isRead of a request that the page may have made by itself
 */
export async function reportRefusal(response: Response, isRead: boolean): Promise<void> {
  if (response.status === 401) {
    isEnded = true;
    if (!isRead || !isEndKnown) {
      set('signed-out');
    }
  } else if (response.status === 403) {
    const { type } = (await response.clone().json()) as { readonly type?: string };
    if (type?.endsWith('sign-in-again') === true) {
      set('sign-in-again');
    }
  }
}

/** Before an action that would be refused: only a new sign-in lets the reader do it. */
export function askForSignIn(): void {
  set('sign-in-again');
}

/** The session is there, or is there again: its end would be news. */
export function reportSession(): void {
  if (isEnded) {
    isEnded = false;
    isEndKnown = false;
    if (current === 'signed-out') {
      set(undefined);
    }
  }
}

/** @returns whether the page need not ask for anything by itself, because only a sign-in helps */
export const isSessionEnded = (): boolean => isEnded;

/** @returns a refusal with something to say: one without a body, as of a proxy, would pass as a success */
export async function withProblem(response: Response): Promise<Response> {
  const { ok, status } = response;
  return ok || (await response.clone().text()) !== '' ? response : Response.json({ status }, { status });
}

export function dismissRefusal(): void {
  isEndKnown ||= current === 'signed-out';
  set(undefined);
}

export const currentRefusal = (): Refusal | undefined => current;

export function useRefusal(): Refusal | undefined {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentRefusal);
}

/** Address of a sign-in that comes back to where the reader is. */
export function signInAddress(refusal: Refusal): string {
  const query = new URLSearchParams({ to: location.pathname + location.search });
  if (refusal === 'sign-in-again') {
    query.set('again', 'true');
  }
  return `/app/sign-in?${query.toString()}`;
}
