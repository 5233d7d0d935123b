// Whether the last request had an answer. A page that has loaded goes on showing what it has, and says that it is not of now.
import { useSyncExternalStore } from 'react';

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

export function useReachable(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isReachableNow);
}
