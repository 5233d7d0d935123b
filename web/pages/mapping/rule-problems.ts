import { problemAt } from '../../api/problem-fields.js';

/**
 * What the API says of one value of a rule. It names values as programs send them, which readers of the form do not know.
 * @param name as the API has it
 * @param label of the field
 */
export function ruleProblemAt(error: unknown, name: string, label: string): string | undefined {
  // Only at the beginning: "tag" is also a word.
  return problemAt(error, `/upserts/0/${name}`)?.replace(new RegExp(`^${name}\\b|\\bitemType\\b`), `"${label}"`);
}
