// Pure: items as a person hands them in, made what the platform's own come as: every number as its digits.

/** @returns the same value with its numbers as texts; undefined for a number that JavaScript could not keep exactly */
export function numbersAsTexts(value: unknown): unknown {
  if (typeof value === 'number') {
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return isExact ? String(value) : undefined;
  }
  if (Array.isArray(value)) return value.map(numbersAsTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, numbersAsTexts(member)]));
}
