// Downloads a receipt from the platform's file host and checks it against its announcement.
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { FileClient, FileNotFetched } from '../../foundation/http/client/file-client.js';
import { englishText } from '../messages/texts.js';
import { downloadFailure, tooLarge, type ReceiptFailure } from './domain/receipt-failure.js';
import { fitsAnnouncement, mediaTypeOf, type ReceiptFile } from './domain/receipt-file.js';

/** Largest receipt (P9.7). */
const MAX_RECEIPT_BYTES = 30 * 1024 * 1024;

/** The download failed. */
export class ReceiptNotFetched extends Error {
  constructor(
    readonly failure: ReceiptFailure,
    /** Another attempt may succeed, now or at a new address of the file. */
    readonly isTransient: boolean,
  ) {
    super(englishText(failure.problem));
    this.name = 'ReceiptNotFetched';
  }
}

@Injectable()
export class ReceiptDownloader {
  constructor(private readonly fileClient: FileClient) {}

  /**
   * @param take reads the content once, or leaves it
   * @returns what `take` returns
   * @throws ReceiptNotFetched; whatever `take` throws; the signal's reason
   */
  async fetch<T>(file: ReceiptFile, signal: AbortSignal, take: (content: Readable) => Promise<T>): Promise<T> {
    if (file.url === undefined) {
      throw new ReceiptNotFetched(downloadFailure({ kind: 'no_address' }), false);
    }
    const request = { url: file.url, expectedBytes: file.announcedBytes, signal };
    try {
      return await this.fileClient.read(request, async ({ contentType, content }) => {
        if (!fitsAnnouncement(file, contentType)) {
          const came = mediaTypeOf(contentType) ?? '';
          // A page instead of the file: a proxy's, or that of an address which has expired.
          throw new ReceiptNotFetched(downloadFailure({ kind: 'wrong_type', text: came }), came === 'text/html');
        }
        return take(content);
      });
    } catch (error) {
      throw error instanceof FileNotFetched ? notFetched(error) : error;
    }
  }
}

/** An address is valid for 24 hours; after that hosts respond with 401 or 403. */
const EXPIRED: ReadonlySet<number> = new Set([401, 403]);
const DELETED: ReadonlySet<number> = new Set([404, 410]);

function notFetched({ problem, message, status = 0 }: FileNotFetched): ReceiptNotFetched {
  switch (problem) {
    case 'too-large':
      return new ReceiptNotFetched(tooLarge(MAX_RECEIPT_BYTES), false);
    case 'status': {
      const isUsual = EXPIRED.has(status) || DELETED.has(status);
      const kind = isUsual ? 'gone' : 'status';
      return new ReceiptNotFetched(downloadFailure({ kind, text: message, status }), isTransientStatus(status));
    }
    case 'connection':
    case 'timeout':
      return new ReceiptNotFetched(downloadFailure({ kind: problem, text: message }), true);
    case 'left-alone':
      return new ReceiptNotFetched(downloadFailure({ kind: 'left_alone', text: message }), true);
    case 'address':
      return new ReceiptNotFetched(downloadFailure({ kind: problem, text: message }), false);
  }
}

/** A redirect leads to a sign-in rather than to the file; it is not followed. */
function isTransientStatus(status: number): boolean {
  return status >= 500 || status === 408 || status === 429 || EXPIRED.has(status) || (status >= 300 && status <= 399);
}
