import { Problem } from '../../../foundation/http/problem.js';

/** @returns the response to every request that names an entry the company does not have */
export function entryNotFound(entryId: string): Problem {
  const detail = `The company has no journal entry ${entryId}.`;
  return new Problem({ status: 404, type: 'entry-not-found', detail });
}

/** @returns the response to every request that names a company that does not exist, or that the key does not open */
export function companyNotFound(companyId: string): Problem {
  return new Problem({ status: 404, type: 'company-not-found', detail: `There is no company ${companyId}.` });
}
