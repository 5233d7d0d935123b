import type pg from 'pg';
import { prepared } from './sql.js';
import { TimeoutAwareClient } from './timeout-aware-client.js';

/**
 * For a library that writes its statements itself: a client whose connections plan some of them once.
 * @param isRepeated of a statement's text; there may be few texts for which it is true
 */
export function clientThatPlansOnce(isRepeated: (text: string) => boolean): typeof TimeoutAwareClient {
  return class extends TimeoutAwareClient {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const query = this.query.bind(this) as (...args: unknown[]) => unknown;
      const planningOnce = (first: unknown, ...rest: unknown[]): unknown => {
        const isPrepared = typeof first === 'string' && isRepeated(first);
        return query(isPrepared ? prepared({ text: first, values: [] }) : first, ...rest);
      };
      this.query = planningOnce as typeof this.query;
    }
  };
}
