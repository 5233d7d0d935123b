import { sqlState, violatedConstraint } from '../../../../foundation/database/database-error.js';

/**
 * Performs work on a batch. When the database refuses its content, each half is tried separately, until the refused item
 * is found and all others have succeeded.
 *
 * @param work all or nothing: a transaction that is rolled back when it throws
 * @param refused the result of a single item that the database refused
 * @returns one result per item, in order
 * @throws the database's error when it is not known to refuse the content
 */
export async function bisectBatch<Item, Result>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  refused: (item: Item, rule: string) => Result,
): Promise<readonly Result[]> {
  const [first] = items;
  if (first === undefined) {
    return [];
  }
  try {
    return await work(items);
  } catch (error) {
    const rule = violatedRule(error);
    if (rule === undefined) {
      throw error;
    }
    if (items.length === 1) {
      return [refused(first, rule)];
    }
    const middle = Math.ceil(items.length / 2);
    const firstHalf = await bisectBatch(items.slice(0, middle), work, refused);
    return [...firstHalf, ...(await bisectBatch(items.slice(middle), work, refused))];
  }
}

/** The rule that the content violates: a constraint, or the range of a text, number or date (SQLSTATE class 22). */
function violatedRule(error: unknown): string | undefined {
  const state = sqlState(error);
  if (state?.startsWith('23') === true) {
    return violatedConstraint(error);
  }
  return state?.startsWith('22') === true ? `SQLSTATE ${state}` : undefined;
}
