// Why a receipt did not get into the ERP, in the platform's words for programs and in sentences for bookkeepers (P9.7,
// P9.9).
import type { ReceiptFile } from './receipt-file.js';

export interface ReceiptFailure {
  readonly failureType:
    | 'receipt_download_failure'
    | 'receipt_file_size_limit_exceeded'
    | 'receipt_conversion_failure'
    | 'receipt_upload_failure';
  /** After "receipt 1 of 2", without a full stop. */
  readonly problem: string;
  /** A whole sentence: what the bookkeeper can do about it. */
  readonly remedy: string;
}

export interface FailedReceipt {
  readonly file: ReceiptFile;
  readonly failure: ReceiptFailure;
  /** A later attempt may do better, at a new address of the file. */
  readonly mayPass?: boolean;
}

const MEGABYTE = 1_048_576;
const MAX_MESSAGE_LENGTH = 200;
const POLICY = 'Or have an administrator choose to post without receipts in the connector’s settings.';

/** @param why a clause with its own subject */
export function downloadFailure(why: string): ReceiptFailure {
  return {
    failureType: 'receipt_download_failure',
    problem: `could not be fetched from the platform: ${why}`,
    remedy:
      'Export the entry again, which gives its files new addresses; if that does not help, attach the file anew on the platform.',
  };
}

export function tooLarge(limitBytes: number): ReceiptFailure {
  return {
    failureType: 'receipt_file_size_limit_exceeded',
    problem: `is larger than the ${megabytes(limitBytes)} MB that can be taken`,
    remedy: 'Attach a smaller file on the platform, then export the entry again.',
  };
}

export function unsupportedType(): ReceiptFailure {
  return {
    failureType: 'receipt_conversion_failure',
    problem: 'is of a type that the accounting system does not take',
    remedy: 'Attach it on the platform as PDF, JPEG or PNG, then export the entry again.',
  };
}

/** @param message of the ERP */
export function uploadFailure(message: string): ReceiptFailure {
  return {
    failureType: 'receipt_upload_failure',
    problem: `was not taken by the accounting system, which says: ${sentence(message)}`,
    remedy: 'Mend there or on the platform what it says, then export the entry again.',
  };
}

/** @param limit most documents that an entry can have */
export function tooMany(limit: number): ReceiptFailure {
  return {
    failureType: 'receipt_upload_failure',
    problem: `is one too many: an entry takes ${limit.toString()}`,
    remedy: 'Put several receipts into one file on the platform, then export the entry again.',
  };
}

/** The reason of an item that fails because of its receipts: the first one in full, the others as a number. */
export function failedItemReason(failed: readonly [FailedReceipt, ...FailedReceipt[]]): string {
  const [{ file, failure }, ...others] = failed;
  const more = others.length === 0 ? '' : ` ${others.length.toString()} more of its receipts failed too.`;
  return `Not posted, because ${receiptText(file)} ${failure.problem}.${more} ${failure.remedy} ${POLICY}`;
}

/** What is said of an item that was posted all the same. */
export function missingReceiptText({ file, failure }: FailedReceipt): string {
  return `Posted without ${receiptText(file)}: it ${failure.problem}. Put it behind the entry in the accounting system by hand.`;
}

/** "receipt 2 of 3 (application/pdf, 2084 bytes)" */
function receiptText({ position, count, mediaType, announcedBytes }: ReceiptFile): string {
  const size = announcedBytes === undefined ? 'of unknown size' : `${announcedBytes.toString()} bytes`;
  return `receipt ${position.toString()} of ${count.toString()} (${mediaType ?? 'of unknown type'}, ${size})`;
}

function megabytes(bytes: number): string {
  return (Math.floor((bytes * 10) / MEGABYTE) / 10).toString();
}

function sentence(message: string): string {
  return message.slice(0, MAX_MESSAGE_LENGTH).replace(/\.$/, '');
}
