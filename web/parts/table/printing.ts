import { useSyncExternalStore } from 'react';

let isPrinting = false;

function listen(changed: () => void): () => void {
  const begin = () => {
    isPrinting = true;
    changed();
  };
  const end = () => {
    isPrinting = false;
    changed();
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  return () => {
    removeEventListener('beforeprint', begin);
    removeEventListener('afterprint', end);
  };
}

/** @returns whether the page is put on paper now; it is drawn anew before that */
export const useIsPrinting = (): boolean => useSyncExternalStore(listen, () => isPrinting);
