// How receipts lie in the store of a file connection, beside its books.
//
//   receipt/<SHA-256>              what is said of a receipt
//   receipt-piece/<upload>/<n>     its bytes
//   receipt-upload/<upload>        pieces that no receipt has: an upload is under way, or was given up
//   receipt-loose/<SHA-256>        no entry has it so far
import { z } from 'zod';
import type { JsonValue } from '../../../../kernel/json.js';
import type { StoredValue } from '../../kit/erp-store.js';

const receiptSchema = z
  .object({
    upload: z.string(),
    mediaType: z.string(),
    sizeBytes: z.int().nonnegative(),
    crc32: z.int().nonnegative(),
    pieces: z.int().nonnegative(),
    /** When it was sent last; absent once an entry has it. */
    looseSince: z.iso.datetime().optional(),
  })
  .transform(({ looseSince, ...receipt }) => ({ ...receipt, ...(looseSince !== undefined && { looseSince }) }))
  .readonly();

export type StoredReceipt = z.output<typeof receiptSchema>;

export const LOOSE_PREFIX = 'receipt-loose/';
export const UPLOAD_PREFIX = 'receipt-upload/';

/** @param sha256 of its bytes, in hex: what the receipt is called */
export const receiptKey = (sha256: string) => `receipt/${sha256}`;
export const looseKey = (sha256: string) => `${LOOSE_PREFIX}${sha256}`;
export const uploadKey = (upload: string) => `${UPLOAD_PREFIX}${upload}`;
export const piecePrefix = (upload: string) => `receipt-piece/${upload}/`;
export const pieceKey = (upload: string, piece: number) => `${piecePrefix(upload)}${piece.toString().padStart(6, '0')}`;

/** Whether it may be what a receipt is called here. */
export function isReceiptId(id: string): boolean {
  return /^[0-9a-f]{64}$/.test(id);
}

export function receiptOf(stored: StoredValue | undefined): StoredReceipt | undefined {
  return stored === undefined ? undefined : receiptSchema.parse(stored.value);
}

/** When the upload was begun, UTC. */
export function uploadBegunAt(value: JsonValue): Date {
  return new Date(z.iso.datetime().parse(value));
}

export function bytesOf(stored: StoredValue | undefined): Buffer {
  return Buffer.from(z.base64().parse(stored?.value), 'base64');
}
