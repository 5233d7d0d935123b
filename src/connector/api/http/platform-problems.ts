import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { Problem } from '../../../foundation/http/problem.js';
import { tooManyRequests } from '../../../foundation/http/too-many-requests.js';
import { AuthorizationLost, isTransient, PlatformRefusal } from '../../platform/platform-error.js';
import { BudgetExhausted, InteractiveShareExhausted } from '../../platform/request-budget.js';

/** @throws Problem 429 when people have had their share of the requests to it, 503 when the platform cannot be asked now, 409 when it no longer accepts the connection */
export async function mapPlatformErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AuthorizationLost) {
      const detail =
        'The platform does not accept the connection any more: an administrator has to connect again.';
      throw new Problem({ status: 409, type: 'not-connected', detail, cause: error });
    }
    if (error instanceof InteractiveShareExhausted) {
      throw tooManyRequests(error.retryAfterSeconds * 1_000);
    }
    const isBusy = error instanceof BudgetExhausted || error instanceof PlatformRefusal;
    if (isBusy || error instanceof NoResponse || isTransient(error)) {
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
