/**
 * Whom a request is made for: the connector's own work; exports; of those the pages and results of long ones, of which there are
 * so many that the others would wait behind them; or people who wait for a response, and who may not take that work's slot.
 */
export type Requester = 'connector' | 'exports' | 'long-exports' | 'people';

/** How many requests the platform lets a client make. Each request takes a slot first. */
export abstract class RequestBudget {
  /**
   * Waits until a request may be made; those who ask first go first.
   * @throws BudgetExhausted at once when the wait would be longer than a request is worth; InteractiveShareExhausted for people who have had
   *   their share of it
   */
  abstract acquire(requester: Requester): Promise<void>;

  /**
   * All requests pause: the platform said that there were too many.
   * @param milliseconds from now on
   */
  abstract pause(milliseconds: number): Promise<void>;
}

/** More requests are waiting than can be made soon. Nothing was sent. */
export class BudgetExhausted extends Error {
  override readonly name: string = 'BudgetSpent';
}

/** People ask for more than their share of the budget, however much of it is free. */
export class InteractiveShareExhausted extends BudgetExhausted {
  override readonly name = 'InteractiveShareExhausted';

  /** @param retryAfterSeconds when asking again makes sense */
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}
