import { NoAnswer } from '../../foundation/http/http-client.js';
import { Problem } from '../../foundation/http/problem.js';
import { AuthorisationLost, isTransient, PlatformRefusal } from '../platform/platform-error.js';
import { BudgetSpent } from '../platform/request-budget.js';

/** @throws Problem 503 when the platform cannot be asked now, 409 when it no longer accepts the connection */
export async function withPlatform<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AuthorisationLost) {
      const detail =
        'The platform does not accept the connection any more: an administrator has to connect again.';
      throw new Problem({ status: 409, type: 'not-connected', detail, cause: error });
    }
    const isBusy = error instanceof BudgetSpent || error instanceof PlatformRefusal;
    if (isBusy || error instanceof NoAnswer || isTransient(error)) {
      throw new Problem({
        status: 503,
        type: 'platform-unavailable',
        detail: 'The platform cannot be asked at the moment. Nothing was changed; try again.',
        headers: { 'retry-after': '30' },
        cause: error,
      });
    }
    throw error;
  }
}
