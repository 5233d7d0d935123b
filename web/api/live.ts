// What changes on the server is read again at once: by a stream of events, and every ten seconds where there is none. Only a tab
// that is seen has a stream: over HTTP/1.1 a browser opens six connections to one server, and six streams would stop all other tabs.
import { useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { EVENT_KINDS, isConcerned } from './concerned.js';
import { isReachableNow, isUnanswered, onReachable } from './reachable.js';
import { isSessionEnded } from './refusals.js';
import { isSample } from './sample.js';

/** Many events of one export are one reading. */
const GATHER_MS = 500;
const POLL_MS = 10_000;
const REOPEN_MS = 30_000;

const RETURN: ReadonlySet<string> = new Set(['return']);
const isOfReturn = ({ queryKey: [, path] }: Query) => isConcerned(RETURN, String(path));

const isSeen = () => document.visibilityState === 'visible';

/** @returns whether the stream is open */
export function useLive(): boolean {
  const queryClient = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    if (isSample) {
      return undefined;
    }
    const kinds = new Set<string>();
    let gathering: ReturnType<typeof setTimeout> | undefined;
    const readAgain = () => {
      gathering = undefined;
      const gathered = new Set(kinds);
      kinds.clear();
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [, path] }) => isConcerned(gathered, String(path)),
      });
    };
    const note = (kind: string) => {
      kinds.add(kind);
      gathering ??= setTimeout(readAgain, GATHER_MS);
    };
    let source: EventSource | undefined;
    const isOpen = () => source?.readyState === EventSource.OPEN;
    const open = (isAgain: boolean) => {
      source = new EventSource('/api/v1/events');
      source.onopen = () => {
        setLive(true);
        if (isAgain) {
          // A new stream does not know what the one before has said last.
          note('reset');
        }
      };
      source.onerror = () => {
        setLive(false);
      };
      for (const kind of EVENT_KINDS) {
        source.addEventListener(kind, () => {
          note(kind);
        });
      }
    };
    if (isSeen()) {
      open(false);
    }
    const onVisibility = () => {
      if (!isSeen()) {
        source?.close();
        setLive(false);
      } else if (source?.readyState !== EventSource.CONNECTING && !isOpen() && !isSessionEnded()) {
        open(true);
      }
    };
    document.addEventListener('visibilitychange', onVisibility);
    const onReturn = () => {
      if (!isSessionEnded()) {
        // Not at each change between two windows: a month's end is also recorded when it is read.
        void queryClient.refetchQueries({ type: 'active', stale: true, predicate: isOfReturn });
      }
    };
    addEventListener('focus', onReturn);
    // What the reader comes back to the window for is read without it, and shows whether there is a session again.
    // Single requests may fail beside a stream that stays open: the page says then that it asks again.
    const timer = setInterval(() => {
      if (isSeen() && !(isOpen() && isReachableNow()) && !isSessionEnded()) {
        note('reset');
      }
    }, POLL_MS);
    // The answer to another request ends the message above the page, and with it the asking again.
    const stopListening = onReachable(() => {
      if (isReachableNow()) {
        void queryClient.refetchQueries({ type: 'active', predicate: ({ state: { error } }) => isUnanswered(error) });
      }
    });
    // A browser gives a stream up for good after a refusal.
    const reopening = setInterval(() => {
      if (isSeen() && source?.readyState === EventSource.CLOSED && !isSessionEnded()) {
        open(true);
      }
    }, REOPEN_MS);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      removeEventListener('focus', onReturn);
      source?.close();
      stopListening();
      clearInterval(timer);
      clearInterval(reopening);
      clearTimeout(gathering);
    };
  }, [queryClient]);
  return isLive;
}
