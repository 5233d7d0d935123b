import type pg from 'pg';
import { prepared } from '../../foundation/database/sql.js';
import { TimeoutAwareClient } from '../../foundation/database/timeout-aware-client.js';

/** How the queue's statement begins that takes the next tasks; there is one text for each kind of task. */
const TAKES_TASKS = /^\s*WITH\s+next AS/;

/** A connection of the queue that plans once what it asks most: to plan how tasks are taken takes ten times as long as to take them. */
export class QueueClient extends TimeoutAwareClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const planningOnce = (first: unknown, ...rest: unknown[]): unknown => {
      const isRepeated = typeof first === 'string' && TAKES_TASKS.test(first);
      return query(isRepeated ? prepared({ text: first, values: [] }) : first, ...rest);
    };
    this.query = planningOnce as typeof this.query;
  }
}
