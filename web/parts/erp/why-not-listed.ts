import type { ProblemResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';

/** Why a list of the accounting system is not there: only some of the reasons concern that system. */
export function whyNotListed(error: unknown): string {
  const { type, title } = Object(error) as Partial<ProblemResponse>;
  if (type?.endsWith(':not-authenticated') === true) {
    return t('error.signedOut');
  }
  // In a set-up that is not done in its order nothing is out of order.
  if (type?.endsWith(':setup-incomplete') === true) {
    return t('erpValue.notLinked');
  }
  return t(title === undefined ? 'erpValue.unreachable' : 'erpValue.notListed');
}
