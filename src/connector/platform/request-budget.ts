/** How many requests the platform lets a client make. Whoever makes one takes a place first. */
export abstract class RequestBudget {
  /**
   * Waits until a request may be made; those who ask first go first.
   * @throws BudgetSpent at once when the wait would be longer than a request is worth
   */
  abstract take(): Promise<void>;

  /**
   * Nobody makes a request for a while: the platform said that there were too many.
   * @param milliseconds from now on
   */
  abstract holdBack(milliseconds: number): Promise<void>;
}

/** More requests are waiting than can be made soon. Nothing was sent. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}
