import { classifyDatabaseError } from '../../foundation/database/database-error.js';

/**
 * Handles what a tick of the schedule has found, one after the other. One that fails does not keep those behind it from their turn.
 * @throws the first failure, after all others were handled; at once where the database is away, as it then is for all
 */
export async function eachInTurn<Found>(
  found: readonly Found[],
  handle: (one: Found) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const one of found) {
    try {
      await handle(one);
    } catch (error) {
      if (classifyDatabaseError(error) === 'unknown') {
        throw error;
      }
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
}
