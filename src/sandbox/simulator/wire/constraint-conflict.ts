import { violatedConstraint } from '../../../foundation/database/database-error.js';
import type { ApiError } from './api-error.js';

/**
 * Runs a transaction in which a unique constraint may find that the key is taken.
 * @throws the conflict when that constraint was violated; every other error as it is
 */
export async function mapConstraintConflict<Result>(
  constraint: string,
  conflict: () => ApiError,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw violatedConstraint(error) === constraint ? conflict() : error;
  }
}
