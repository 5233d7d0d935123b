import { sqlState, violatedConstraint } from '../../../../foundation/database/database-error.js';

/**
 * Does work on a batch; when the database refuses its content, on each half of it, so that what is refused is found and
 * takes nothing else along.
 *
 * @param work all or nothing: whatever it wrote is gone when it throws
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

/** What the content broke: a constraint, or what a text, a number or a date may be at all (SQLSTATE class 22). */
function violatedRule(error: unknown): string | undefined {
  const state = sqlState(error);
  if (state?.startsWith('23') === true) {
    return violatedConstraint(error);
  }
  return state?.startsWith('22') === true ? `SQLSTATE ${state}` : undefined;
}
