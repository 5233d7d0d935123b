import { NoResponse } from '../../foundation/http/client/http-client.js';
import { ErpUnavailable } from '../erp/erp-ledger.js';
import { AuthorizationLost, PlatformRefusal } from '../platform/platform-error.js';
import { BudgetExhausted } from '../platform/request-budget.js';

/** @returns undefined while platform or ERP cannot be asked */
export async function unlessUnreachable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const isUnreachable =
      error instanceof ErpUnavailable ||
      error instanceof AuthorizationLost ||
      error instanceof BudgetExhausted ||
      error instanceof NoResponse ||
      error instanceof PlatformRefusal;
    if (isUnreachable) {
      return undefined;
    }
    throw error;
  }
}
