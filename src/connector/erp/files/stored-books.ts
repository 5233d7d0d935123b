// How the books of a file connection lie in its store.
//
//   head                            the counters, and what no batch has given out yet
//   group/<key>                     the revisions of a posting group
//   entry/<fiscal year>/<number>    each journal entry
//   day/<day>/<key>/<revision>      which groups have an entry of a day
//   batch/<number>                  what is said of a batch
//   file/<number>/<piece>           its bytes
//   placed/<place>                  number of the last batch that was put there
//   placing/<place>                receipts of the next batch that are there already
//   receipt…                        receipts (receipts/stored-receipts.ts)
//
// Each change of the books replaces the head, so that of two at the same time one is repeated.
import { z } from 'zod';
import type { JsonValue } from '../../../kernel/json.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { StoredValue } from '../kit/erp-store.js';

const minorUnits = z.string().regex(/^-?\d+$/);

const headSchema = z
  .object({
    nextNumber: z.int().positive(),
    nextBatch: z.int().positive(),
    /** How often a stored entry was discarded, or given a receipt. */
    rewrites: z.int().nonnegative(),
    /** First day of a fiscal year → number of its first entry that no batch has. */
    pending: z.record(z.string(), z.int().positive()),
  })
  .readonly();

const revisionSchema = z
  .object({
    revision: z.int().positive(),
    contentDigest: z.string(),
    installationId: z.string(),
    /** On which its entries are posted; each once, ascending. */
    days: z.array(z.string()),
    currency: z.string(),
    /** Sum of the debits. */
    amountMinor: minorUnits,
    entries: z.array(
      z
        .object({
          role: z.enum(['entry', 'invoice', 'payment', 'credit-note', 'receipt']),
          number: z.int().positive(),
          /** First day of the fiscal year that the entry was posted in. */
          year: z.string(),
          state: z.enum(['posted', 'reversed', 'discarded']),
        })
        .readonly(),
    ),
  })
  .readonly();

const groupSchema = z.object({ revisions: z.array(revisionSchema) }).readonly();

const batchSchema = z
  .object({
    number: z.int().positive(),
    format: z.enum(['sie', 'datev', 'csv']),
    fileName: z.string(),
    mediaType: z.string(),
    fiscalYear: z.object({ from: z.string(), to: z.string() }),
    closedAt: z.iso.datetime(),
    /** Of the settings when it was closed; archives of older batches, which do not say it, are dated in UTC. */
    timeZone: z.string().default('UTC'),
    /** Of its entries, and of discarded ones between them. */
    numbers: z.object({ first: z.int().positive(), last: z.int().positive() }),
    entryCount: z.int().positive(),
    /** Behind its entries; the only field that may change, when a receipt comes later. */
    receipts: z.int().nonnegative(),
    /** Currency → minor units. */
    debits: z.record(z.string(), minorUnits),
    sha256: z.string(),
    sizeBytes: z.int().positive(),
    pieces: z.int().positive(),
  })
  .readonly();

export type BooksHead = z.output<typeof headSchema>;
export type StoredRevision = z.output<typeof revisionSchema>;
export type StoredGroup = z.output<typeof groupSchema>;
export type StoredBatch = z.output<typeof batchSchema>;

export interface BatchFile {
  readonly batch: StoredBatch;
  readonly content: Buffer;
}

export const HEAD_KEY = 'head';
export const BATCH_PREFIX = 'batch/';
export const DAY_PREFIX = 'day/';

export const placedKey = (place: string) => `placed/${place}`;
export const placingKey = (place: string) => `placing/${place}`;
export const groupKey = (key: string) => `group/${key}`;
export const entryPrefix = (year: string) => `entry/${year}/`;
export const entryKey = (year: string, number: number) => `${entryPrefix(year)}${number.toString().padStart(12, '0')}`;
export const dayKey = (day: string, key: string, revision: number) =>
  `${DAY_PREFIX}${day}/${key}/${revision.toString().padStart(6, '0')}`;
export const batchKey = (number: number) => `${BATCH_PREFIX}${number.toString().padStart(9, '0')}`;
export const fileKey = (number: number, piece: number) =>
  `file/${number.toString().padStart(9, '0')}/${piece.toString().padStart(6, '0')}`;

/** Of empty books when nothing is stored. */
export function headOf(stored: StoredValue | undefined): BooksHead {
  return stored === undefined
    ? { nextNumber: 1, nextBatch: 1, rewrites: 0, pending: {} }
    : headSchema.parse(stored.value);
}

export function groupOf(value: JsonValue | undefined): StoredGroup | undefined {
  return value === undefined ? undefined : groupSchema.parse(value);
}

export function batchOf(value: JsonValue): StoredBatch {
  return batchSchema.parse(value);
}

/** Number of the last batch that was put into a place; 0 for none. */
export function placedOf(stored: StoredValue | undefined): number {
  return z.int().parse(stored?.value ?? 0);
}

const placingSchema = z.object({ batch: z.int(), receipts: z.int(), placed: z.int() });

/** How many receipts of a batch were put into a place; 0 when it had others then, whose order may be another one. */
export function placingOf(stored: StoredValue | undefined, { number, receipts }: StoredBatch): number {
  const placing = stored && placingSchema.parse(stored.value);
  return placing?.batch === number && placing.receipts === receipts ? placing.placed : 0;
}

/** Base64 of a part of a compressed file. */
export function pieceOf(stored: StoredValue | undefined): string {
  return z.base64().parse(stored?.value);
}

const dayIndexSchema = z.object({ key: z.string(), revision: z.int(), days: z.array(z.string()) });

export function dayIndexOf(value: JsonValue): z.output<typeof dayIndexSchema> {
  return dayIndexSchema.parse(value);
}

/** Whether the entry is in the batch, or was discarded before it. */
export function hasEntry({ fiscalYear, numbers }: StoredBatch, year: string, number: number): boolean {
  return fiscalYear.from === year && numbers.first <= number && number <= numbers.last;
}

/** Whether a batch has given the entry out. */
export function isGivenOut({ pending }: BooksHead, year: string, number: number): boolean {
  const first = pending[year];
  return first === undefined || number < first;
}

/** The head after an entry of a fiscal year was added under its `nextNumber`. */
export function withEntry(head: BooksHead, year: LocalDate): BooksHead {
  return {
    ...head,
    nextNumber: head.nextNumber + 1,
    pending: { ...head.pending, [year]: head.pending[year] ?? head.nextNumber },
  };
}
