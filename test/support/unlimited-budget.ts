import { RequestBudget } from '../../src/connector/platform/request-budget.js';

/** For tests that are about something else: as many requests as they like. */
export class UnlimitedBudget extends RequestBudget {
  readonly heldBackMs: number[] = [];

  override take(): Promise<void> {
    return Promise.resolve();
  }

  override holdBack(milliseconds: number): Promise<void> {
    this.heldBackMs.push(milliseconds);
    return Promise.resolve();
  }
}
