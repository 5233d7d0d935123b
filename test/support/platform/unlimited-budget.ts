import { RequestBudget, type Requester } from '../../../src/connector/platform/request-budget.js';

/** For tests that are about something else: as many requests as they like. */
export class UnlimitedBudget extends RequestBudget {
  readonly heldBackMs: number[] = [];
  /** Whom each request was for. */
  readonly requesters: Requester[] = [];
  /** What becomes of people's requests. */
  interactive = (): Promise<void> => Promise.resolve();

  override acquire(asker: Requester): Promise<void> {
    this.requesters.push(asker);
    return asker === 'people' ? this.interactive() : Promise.resolve();
  }

  override pause(milliseconds: number): Promise<void> {
    this.heldBackMs.push(milliseconds);
    return Promise.resolve();
  }
}
