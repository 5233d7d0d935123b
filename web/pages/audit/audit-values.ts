export type Fields = Readonly<Record<string, unknown>>;

/** A field of what was changed, before and after; null: nothing stood there. */
export interface AuditValue {
  readonly field: string;
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

/** Ids, hashes and keys prove something to programs, and say nothing to readers. */
const FOR_PROGRAMS = /(^|_)(id|ids|digest|hash|key)$/;
const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/;

const isShown = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '');

/** @returns what of an entry of the log can be shown in a line each; people are named by `nameOf` of the page */
export function auditValues(before: Fields | null, after: Fields | null): readonly AuditValue[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.flatMap((field) => {
    const [was, is] = [before?.[field], after?.[field]].map((value) => (isShown(value) ? value : null));
    const isId = [was, is].some((value) => UUID.test(String(value)) && !String(value).includes(' '));
    return FOR_PROGRAMS.test(field) || isId || was === is ? [] : [{ field, before: was ?? null, after: is ?? null }];
  });
}
