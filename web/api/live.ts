// What changes on the server is read again at once: by a stream of events, and every ten seconds where there is none.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isSample } from './sample.js';

/** Asks platform and accounting system: read again when an export begins or ends, not at each of its steps. */
const READINESS = '/api/v1/overview/readiness';
/** Which addresses an event concerns: those that begin so. */
const CONCERNED: Readonly<Record<string, readonly string[]>> = {
  job: ['/api/v1/jobs', '/api/v1/overview', '/api/v1/notifications', READINESS],
  progress: ['/api/v1/jobs', '/api/v1/overview'],
  issue: ['/api/v1/issues', '/api/v1/overview'],
  reexport: ['/api/v1/issues', '/api/v1/reexports'],
  sync: ['/api/v1/reference-data', '/api/v1/overview', READINESS],
  reconciliation: ['/api/v1/reconciliation', '/api/v1/overview'],
  discrepancies: ['/api/v1/discrepancies', '/api/v1/overview'],
  certificate: ['/api/v1/certificates', '/api/v1/overview'],
  alert: ['/api/v1/alerts'],
  connection: ['/api/v1/connection', '/api/v1/erp-connection', '/api/v1/setup', '/api/v1/overview', READINESS],
  reset: ['/api/v1/'],
};
/** Many events of one export are one reading. */
const GATHER_MS = 500;
const POLL_MS = 10_000;
const REOPEN_MS = 30_000;

/** @returns whether the stream is open */
export function useLive(): boolean {
  const queryClient = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    if (isSample) {
      return undefined;
    }
    const concerned = new Set<string>();
    let gathering: ReturnType<typeof setTimeout> | undefined;
    const readAgain = () => {
      gathering = undefined;
      const prefixes = [...concerned];
      concerned.clear();
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [, path] }) =>
          path === READINESS
            ? prefixes.includes(READINESS)
            : prefixes.some((prefix) => String(path).startsWith(prefix)),
      });
    };
    const note = (kind: string) => {
      CONCERNED[kind]?.forEach((prefix) => concerned.add(prefix));
      gathering ??= setTimeout(readAgain, GATHER_MS);
    };
    let source: EventSource;
    const open = () => {
      source = new EventSource('/api/v1/events');
      source.onopen = () => {
        setLive(true);
      };
      source.onerror = () => {
        setLive(false);
      };
      for (const kind of Object.keys(CONCERNED)) {
        source.addEventListener(kind, () => {
          note(kind);
        });
      }
    };
    open();
    const timer = setInterval(() => {
      if (source.readyState !== EventSource.OPEN) {
        note('reset');
      }
    }, POLL_MS);
    // A browser gives a stream up for good after a refusal.
    const reopening = setInterval(() => {
      if (source.readyState === EventSource.CLOSED) {
        open();
      }
    }, REOPEN_MS);
    return () => {
      source.close();
      clearInterval(timer);
      clearInterval(reopening);
      clearTimeout(gathering);
    };
  }, [queryClient]);
  return isLive;
}
