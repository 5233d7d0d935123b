// What leads from an entry in the ERP back to the export, as one text for a field that people may read and nothing changes.
import { z } from 'zod';
import type { PostingGroup } from '../erp-ledger.js';

const count = z.coerce.number().int().min(1);
const markSchema = z
  .object({
    k: z.string().min(1),
    r: count,
    d: z.string(),
    n: count,
    role: z.enum(['entry', 'invoice', 'payment', 'credit-note', 'receipt']),
    i: z.string(),
    ref: z.string(),
  })
  .transform(({ k, r, d, n, role, i, ref }) => ({
    key: k,
    revision: r,
    contentDigest: d,
    position: n,
    role,
    installationId: i,
    reference: ref,
  }));

export type EntryMark = z.output<typeof markSchema>;

/**
 * The mark of one entry of a group; about 250 characters.
 * @param index of the entry in its group, from 0
 */
export function entryMark({ key, revision, contentDigest, entries, trail }: PostingGroup, index: number): string {
  const { role = '', reference = '' } = entries[index] ?? {};
  return new URLSearchParams({
    k: key,
    r: revision.toString(),
    d: contentDigest,
    n: (index + 1).toString(),
    role,
    i: trail.installationId,
    j: trail.exportJobId,
    m: trail.mappingVersion.toString(),
    f: trail.fence.toString(),
    ref: reference,
  }).toString();
}

/** @returns undefined for a text that `entryMark` has not written */
export function parseEntryMark(text: string): EntryMark | undefined {
  return markSchema.safeParse(Object.fromEntries(new URLSearchParams(text))).data;
}
