import { Problem } from '../../foundation/http/problem.js';
import { ErpUnavailable } from '../erp/erp-ledger.js';

/**
 * @param asking what needs an answer of the ERP
 * @throws Problem 503 when the ERP does not answer
 */
export async function erpAnswerOrProblem<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ErpUnavailable) {
      throw new Problem({
        status: 503,
        type: 'erp-unavailable',
        detail: 'The accounting system does not answer. Try again.',
      });
    }
    throw error;
  }
}
