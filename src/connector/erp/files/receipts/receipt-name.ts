import { createHash } from 'node:crypto';
import type { FileEntry } from '../file-entry.js';

const MAX_CHARACTERS = 80;

/**
 * What a receipt is called beside the batch of its entry: the entry's number, its place, its own name in plain characters.
 * @param index of the entry's receipts, from 0
 */
export function receiptName({ number, receipts }: FileEntry, index: number): string {
  return `${number.toString()}-${(index + 1).toString()}-${plainName(receipts[index]?.fileName ?? '')}`;
}

/** Of all receipts of the entry, as it stands in a column. */
export function receiptNames(entry: FileEntry): string {
  return entry.receipts.map((_, index) => receiptName(entry, index)).join(' ');
}

/** The GUID of an entry's receipts in DATEV's document store: always the same. */
export function receiptsGuid({ key, revision, number }: FileEntry): string {
  const digest = createHash('sha256').update([key, revision, number].join('\n')).digest('hex').toUpperCase();
  // Version 8 of RFC 9562: made of what the maker likes.
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `A${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}

/** For every file system, address and archive. */
function plainName(fileName: string): string {
  const plain = fileName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '');
  const extension = /\.[A-Za-z0-9]{1,5}$/.exec(plain)?.[0] ?? '';
  const stem = plain.slice(0, plain.length - extension.length).slice(0, MAX_CHARACTERS);
  return `${stem === '' ? 'receipt' : stem}${extension}`;
}
