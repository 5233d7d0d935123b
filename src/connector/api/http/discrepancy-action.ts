import { Problem } from '../../../foundation/http/problem.js';
import { isUuid, type InstallationId } from '../../../kernel/ids.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import type {
  Acted,
  DifferenceDecision,
  ReconciliationService,
} from '../../reconciliation/reconciliation.service.js';

/**
 * Does about a discrepancy what a person has decided.
 * @throws Problem 404 for an unknown discrepancy, 409 where it is settled already, cannot be done or is refused, 503 when the
 *   ERP does not answer
 */
export async function performDiscrepancyAction(
  reconciliation: ReconciliationService,
  installationId: InstallationId,
  id: string,
  decision: DifferenceDecision,
): Promise<void> {
  // An id that is none and one of somebody else get the same answer as one that does not exist.
  const acted = isUuid(id)
    ? await attemptAction(reconciliation.act(installationId, id.toLowerCase(), decision))
    : ({ outcome: 'unknown' } as const);
  const problem = actionProblemOf(acted);
  if (problem !== undefined) {
    throw problem;
  }
}

async function attemptAction(acting: Promise<Acted>): Promise<Acted> {
  try {
    return await acting;
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

function actionProblemOf(acted: Acted): Problem | undefined {
  switch (acted.outcome) {
    case 'done':
      return undefined;
    case 'unknown':
      return new Problem({ status: 404, type: 'not-found', detail: 'There is no such discrepancy.' });
    case 'settled':
      return conflict('settled', 'This discrepancy is settled already.');
    case 'impossible':
      return conflict('impossible-action', 'This cannot be done about a discrepancy of this class.');
    case 'busy':
      return conflict('company-busy', 'An export of the company is under way. Try again when it is over.');
    case 'there':
      return conflict('entry-still-in-erp', 'The accounting system has the entry again: compare once more.');
    case 'not-verifiable':
      return conflict(
        'cannot-be-told',
        'Whether the entry is gone cannot be told: the accounting system cannot be searched by its key, or may not show yet what was posted.',
      );
    case 'refused':
      return conflict('erp-refuses', acted.message);
    case 'unanswered':
      return new Problem({
        status: 503,
        type: 'erp-unavailable',
        detail: `${acted.message}. It may be reversed; the next comparison asks for it again.`,
      });
  }
}

function conflict(type: string, detail: string): Problem {
  return new Problem({ status: 409, type, detail });
}
