// Whether the last request had an answer. A page that has loaded goes on showing what it has, and says that it is not of now.
import { useSyncExternalStore } from 'react';

/** Of a proxy before the connector; its own refusals have other ones. */
const GATEWAY_FAILURES: readonly number[] = [502, 504];
const SHORT_MS = 5_000;

let isReachable = true;
const listeners = new Set<() => void>();

/** @param answered false: the connection failed, or a proxy has answered that it cannot reach the connector */
export function reportReachable(answered: boolean): void {
  if (answered !== isReachable) {
    isReachable = answered;
    listeners.forEach((listener) => {
      listener();
    });
  }
}

export function isReachableNow(): boolean {
  return isReachable;
}

/** @returns what ends the listening to changes */
export function onReachable(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useReachable(): boolean {
  return useSyncExternalStore(onReachable, isReachableNow);
}

/** @param error of a query: whether the connector did not give it, so that asking again may help */
export function isUnanswered(error: unknown): boolean {
  const { status } = Object(error) as { readonly status?: number };
  return error !== null && (status === undefined || !isOfConnector(status));
}

/** @param status of an answer: whether the connector gave it, not a proxy that cannot reach it */
export const isOfConnector = (status: number): boolean => !GATEWAY_FAILURES.includes(status);

/** Asks what the connector answers by itself, without platform or ERP; a refusal is an answer, too. */
export async function doesAnswer(): Promise<boolean> {
  try {
    const { status } = await fetch('/api/v1/me', { signal: AbortSignal.timeout(SHORT_MS) });
    return isOfConnector(status);
  } catch {
    return false;
  }
}
