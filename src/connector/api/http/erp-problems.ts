import { Problem } from '../../../foundation/http/problem.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';

/** @throws Problem 503 when the ERP could not be asked */
export async function mapErpErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ErpUnavailable)) {
      throw error;
    }
    throw new Problem({
      status: 503,
      type: 'accounting-system-unavailable',
      detail: 'The accounting system cannot be asked at the moment. Nothing was changed; try again.',
      headers: { 'retry-after': '30' },
      cause: error,
    });
  }
}
