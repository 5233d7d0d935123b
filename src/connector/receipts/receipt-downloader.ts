// A receipt from its address on the platform's file host, checked against what was announced.
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { FileClient, FileNotFetched } from '../../foundation/http/client/file-client.js';
import { downloadFailure, tooLarge, type ReceiptFailure } from './domain/receipt-failure.js';
import { fitsAnnouncement, mediaTypeOf, type ReceiptFile } from './domain/receipt-file.js';

/** Largest receipt (P9.7). */
const MAX_RECEIPT_BYTES = 30 * 1024 * 1024;

/** The file did not come. */
export class ReceiptNotFetched extends Error {
  constructor(
    readonly failure: ReceiptFailure,
    /** Another attempt in a moment may do better. */
    readonly isTransient: boolean,
  ) {
    super(failure.problem);
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
      throw new ReceiptNotFetched(downloadFailure('the platform gives no address of it'), false);
    }
    const request = { url: file.url, expectedBytes: file.announcedBytes, signal };
    try {
      return await this.fileClient.read(request, async ({ contentType, content }) => {
        if (!fitsAnnouncement(file, contentType)) {
          const came = mediaTypeOf(contentType) ?? '';
          throw new ReceiptNotFetched(downloadFailure(`what came is of type ${came}`), false);
        }
        return take(content);
      });
    } catch (error) {
      throw error instanceof FileNotFetched ? notFetched(error) : error;
    }
  }
}

/** An address is valid for 24 hours; after that hosts answer 403, and for what is gone 404 or 410. */
const EXPIRED_OR_DELETED: ReadonlySet<number> = new Set([401, 403, 404, 410]);

function notFetched({ problem, message, status = 0 }: FileNotFetched): ReceiptNotFetched {
  switch (problem) {
    case 'too-large':
      return new ReceiptNotFetched(tooLarge(MAX_RECEIPT_BYTES), false);
    case 'status': {
      const why = EXPIRED_OR_DELETED.has(status)
        ? `it is gone or its address has expired (${status.toString()})`
        : message;
      return new ReceiptNotFetched(downloadFailure(why), status >= 500 || status === 408 || status === 429);
    }
    case 'connection':
    case 'timeout':
      return new ReceiptNotFetched(downloadFailure(message), true);
    case 'address':
    case 'left-alone':
      return new ReceiptNotFetched(downloadFailure(message), false);
  }
}
