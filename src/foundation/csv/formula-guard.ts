// The one guard against cells that a spreadsheet computes (CWE-1236). Every CSV file is written through it.

/**
 * Spreadsheets skip white space, control characters and invisible characters before a formula, and read full-width
 * letters as plain ones. A tab or line break at the start makes some of them cut the cell. An apostrophe is the guard
 * itself: a text that starts with one gets another, so that removing the guard restores the text.
 */
const NEEDS_GUARD = /^(?:[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*['=+\-@＝＋－＠]|[\t\r\n])/u;

/** Whether a spreadsheet might compute, cut or change the text instead of showing it. */
export function needsFormulaGuard(text: string): boolean {
  return NEEDS_GUARD.test(text);
}

/** Whether the text carries the guard; a person may type it too, to say "exactly as written". */
export function hasFormulaGuard(text: string): boolean {
  return text.startsWith("'");
}

/** @returns the text as a spreadsheet shows it: with an apostrophe in front where one is needed */
export function addFormulaGuard(text: string): string {
  return needsFormulaGuard(text) ? `'${text}` : text;
}

/** The inverse of `addFormulaGuard`. */
export function removeFormulaGuard(text: string): string {
  return hasFormulaGuard(text) ? text.slice(1) : text;
}
