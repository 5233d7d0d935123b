// Why a receipt did not get into the ERP, in the platform's words for programs and in sentences for bookkeepers (P9.7,
// P9.9).
import { message, type Message } from '../../../kernel/message.js';
import { cutText } from '../../../kernel/text.js';
import type { ReceiptFile } from './receipt-file.js';

export interface ReceiptFailure {
  readonly failureType:
    | 'receipt_download_failure'
    | 'receipt_file_size_limit_exceeded'
    | 'receipt_conversion_failure'
    | 'receipt_upload_failure';
  /** After "receipt 1 of 2", without a full stop. */
  readonly problem: Message;
  /** A whole sentence: what the bookkeeper can do about it. */
  readonly remedy: Message;
}

export interface FailedReceipt {
  readonly file: ReceiptFile;
  readonly failure: ReceiptFailure;
  /** A later attempt may do better, at a new address of the file. */
  readonly isTransient?: boolean;
}

const MEGABYTE = 1_048_576;
const MAX_MESSAGE_LENGTH = 200;

/** Why a file did not come, as the texts select it; `text` says it in English where `kind` is a problem of the HTTP client. */
export interface WhyNotFetched {
  readonly kind: 'no_address' | 'wrong_type' | 'gone' | 'status' | 'connection' | 'timeout' | 'left_alone' | 'address';
  readonly text?: string;
  readonly status?: number;
}

export function downloadFailure({ kind, text = '', status = 0 }: WhyNotFetched): ReceiptFailure {
  return {
    failureType: 'receipt_download_failure',
    problem: message('reason.receipt.not-fetched', { why: kind, text, status: status.toString() }),
    remedy: message('reason.receipt.not-fetched.remedy'),
  };
}

export function tooLarge(limitBytes: number): ReceiptFailure {
  return {
    failureType: 'receipt_file_size_limit_exceeded',
    problem: message('reason.receipt.too-large', { megabytes: megabytes(limitBytes) }),
    remedy: message('reason.receipt.too-large.remedy'),
  };
}

export function unsupportedType(): ReceiptFailure {
  return {
    failureType: 'receipt_conversion_failure',
    problem: message('reason.receipt.wrong-type'),
    remedy: message('reason.receipt.wrong-type.remedy'),
  };
}

/** @param text message of the ERP */
export function uploadFailure(text: string): ReceiptFailure {
  return {
    failureType: 'receipt_upload_failure',
    problem: message('reason.receipt.refused', { text: sentence(text) }),
    remedy: message('reason.receipt.refused.remedy'),
  };
}

/** @param limit most documents that an entry can have */
export function tooMany(limit: number): ReceiptFailure {
  return {
    failureType: 'receipt_upload_failure',
    problem: message('reason.receipt.too-many', { limit }),
    remedy: message('reason.receipt.too-many.remedy'),
  };
}

/** The reason of an item that fails because of its receipts: the first one in full, the others as a number. */
export function failedItemMessage(failed: readonly [FailedReceipt, ...FailedReceipt[]]): Message {
  const [{ file, failure }, ...others] = failed;
  const { problem, remedy } = failure;
  return message('reason.receipt', { receipt: receiptMessage(file), problem, more: others.length, remedy });
}

/** What is said of an item that was posted nevertheless. */
export function missingReceiptWarning({ file, failure }: FailedReceipt): Message {
  return message('warning.receipt', { receipt: receiptMessage(file), problem: failure.problem });
}

/** "receipt 2 of 3 (application/pdf, 2084 bytes)" */
function receiptMessage({ position, count, mediaType, announcedBytes }: ReceiptFile): Message {
  return message('reason.receipt.named', {
    position,
    count,
    type: mediaType === undefined ? 'unknown' : 'known',
    mediaType: mediaType ?? '',
    size: announcedBytes === undefined ? 'unknown' : 'known',
    bytes: announcedBytes ?? 0,
  });
}

function megabytes(bytes: number): string {
  return (Math.floor((bytes * 10) / MEGABYTE) / 10).toString();
}

function sentence(message: string): string {
  return cutText(message, MAX_MESSAGE_LENGTH).replace(/\.$/, '');
}
