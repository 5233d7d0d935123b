import pg from 'pg';

/** Message of pg when `query_timeout` passes without an answer. */
const READ_TIMEOUT = 'Query read timeout';

/** How long a server may take to close a connection that says goodbye. */
const GOODBYE_MS = 3_000;

/** Options of every connection that lives long. @param ms after which an unanswered query gives up its connection */
export function queryTimeouts(ms: number) {
  return { query_timeout: ms, keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;
}

/**
 * A pg client that gives up its socket when an answer does not come in time, be it to a query or to its goodbye: pg waits for the
 * server to close, and a command that has done its work would never end.
 *
 * After a network black hole pg keeps the half-open connection and hands it out again for ever: with
 * `query_timeout` alone every later query fails too. Destroying the socket makes the pool drop the client and
 * open a new connection (F7).
 */
export class TimeoutAwareClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const destroySocket = () => {
      (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    };
    const watch = (error: unknown) => {
      if (error instanceof Error && error.message === READ_TIMEOUT) {
        destroySocket();
      }
    };
    const healing = (...args: unknown[]): unknown => {
      const callback = args.at(-1);
      if (typeof callback === 'function') {
        return query(...args.slice(0, -1), (error: unknown, result: unknown) => {
          watch(error);
          (callback as (e: unknown, r: unknown) => void)(error, result);
        });
      }
      const answer = query(...args);
      if (answer instanceof Promise) {
        answer.catch(watch);
      }
      return answer;
    };
    this.query = healing as typeof this.query;
    const end = this.end.bind(this) as (...args: unknown[]) => unknown;
    const ending = (...args: unknown[]): unknown => {
      const goodbye = setTimeout(destroySocket, GOODBYE_MS);
      this.once('end', () => {
        clearTimeout(goodbye);
      });
      return end(...args);
    };
    this.end = ending as typeof this.end;
  }
}
