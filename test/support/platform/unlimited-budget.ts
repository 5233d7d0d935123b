import { RequestBudget, type Asker } from '../../../src/connector/platform/request-budget.js';

/** For tests that are about something else: as many requests as they like. */
export class UnlimitedBudget extends RequestBudget {
  readonly heldBackMs: number[] = [];
  /** Whom each request was for. */
  readonly askers: Asker[] = [];
  /** What becomes of people's requests. */
  people = (): Promise<void> => Promise.resolve();

  override take(asker: Asker): Promise<void> {
    this.askers.push(asker);
    return asker === 'people' ? this.people() : Promise.resolve();
  }

  override holdBack(milliseconds: number): Promise<void> {
    this.heldBackMs.push(milliseconds);
    return Promise.resolve();
  }
}
