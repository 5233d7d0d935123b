import { textOf, type ExportItem, type Nullable } from './export-item.js';

/**
 * The entry's text: supplier (or vendor) · person · note, without control characters (B6.4).
 *
 * @param limit characters the ERP takes; a character outside the basic plane counts as one and is never cut in half.
 */
export function describeItem(item: ExportItem, limit: number): string {
  const parts = [textOf(item.supplier?.name) ?? item.vendor?.name, item.user?.name, item.note].map(cleanText);
  const text = parts.filter((part) => part !== undefined).join(' · ');
  return text.length <= limit ? text : Array.from(text).slice(0, limit).join('').trimEnd();
}

/** @returns the text on one line, without control characters and broken characters; undefined when nothing is left. */
export function cleanText(text: Nullable<string>): string | undefined {
  const clean = text
    ?.toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '');
  return textOf(clean);
}
