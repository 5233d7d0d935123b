// What values take of a process's memory, roughly: lists that others send must not take all of it.

/** Of a value besides its characters. */
const VALUE_BYTES = 16;
/** Of a row of a list, as most are at most. */
const ROW_BYTES = 500;

/** @returns bytes, of the text and numbers that a value of JSON has at any depth */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') {
    return VALUE_BYTES + value.length;
  }
  return Object.values(Object(value) as object).reduce<number>((sum, each) => sum + bytesOf(each), VALUE_BYTES);
}

/** @returns how many rows they count as where the number of rows is limited for their memory: a long one counts as several */
export function countedRows(rows: readonly unknown[]): number {
  return rows.reduce<number>((sum, row) => sum + Math.max(1, Math.ceil(bytesOf(row) / ROW_BYTES)), 0);
}
