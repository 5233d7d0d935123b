import { NoAnswer } from '../../foundation/http/http-client.js';
import { Problem } from '../../foundation/http/problem.js';
import { AuthorisationLost, isTransient, PlatformRefusal } from '../platform/platform-error.js';

/** @throws Problem 503 when the platform could not be asked, 409 when it no longer accepts the connection */
export async function withPlatform<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AuthorisationLost) {
      const detail =
        'The platform does not accept the connection any more: an administrator has to connect again.';
      throw new Problem({ status: 409, type: 'not-connected', detail, cause: error });
    }
    if (error instanceof NoAnswer || error instanceof PlatformRefusal || isTransient(error)) {
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
