import { Problem } from '../../../foundation/http/problem.js';

/** @returns the response to every request that names an entry the company does not have */
export function entryNotFound(entryId: string): Problem {
  const detail = `The company has no journal entry ${entryId}.`;
  return new Problem({ status: 404, type: 'entry-not-found', detail });
}
