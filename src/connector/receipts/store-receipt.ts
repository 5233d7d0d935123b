// Streams one receipt from its host into the ERP, with further attempts where these may succeed.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { ConnectedErp } from '../erp/connected-erp.js';
import { ErpUnavailable, type ErpFailure, type StoreDocumentOutcome } from '../erp/erp-ledger.js';
import { tooLarge, unsupportedType, uploadFailure, type ReceiptFailure } from './domain/receipt-failure.js';
import { fileNameOf, type ReceiptFile } from './domain/receipt-file.js';
import { ReceiptDownloader, ReceiptNotFetched } from './receipt-downloader.js';

export type StoreReceiptResult =
  | { readonly documentId: string }
  /** `isTransient`: a later attempt may succeed, at a new address of the file. */
  | { readonly failure: ReceiptFailure; readonly isTransient?: true }
  /** No time was left for another attempt. */
  | undefined;

type Attempt =
  | Exclude<StoreReceiptResult, undefined>
  | { readonly transient: ReceiptFailure }
  | { readonly unavailable: ErpFailure };

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 400;
/** Failures of the ERP as a whole, not of one document. */
const WHOLE_ERP: ReadonlySet<ErpFailure['kind']> = new Set(['unreachable', 'rate-limit', 'authentication']);

@Injectable()
export class StoreReceipt {
  constructor(
    private readonly receiptDownloader: ReceiptDownloader,
    private readonly clock: Clock,
  ) {}

  /**
   * @param hasTime whether another write to the ERP may begin
   * @throws ErpUnavailable when the ERP does not respond; the signal's reason
   */
  async storeWithRetries(
    erp: ConnectedErp,
    file: ReceiptFile,
    hasTime: () => boolean,
    signal: AbortSignal,
  ): Promise<StoreReceiptResult> {
    let last: Attempt | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) {
        await this.clock.sleep(pauseMs(attempt), signal);
      }
      signal.throwIfAborted();
      if (!hasTime()) {
        return undefined;
      }
      last = await this.storeOnce(erp, file, signal);
      if ('documentId' in last || 'failure' in last) {
        return last;
      }
    }
    return last === undefined ? undefined : this.resultAfterLastAttempt(erp, last);
  }

  private async storeOnce(erp: ConnectedErp, file: ReceiptFile, signal: AbortSignal): Promise<Attempt> {
    const { mediaType, announcedBytes: sizeBytes } = file;
    if (mediaType === undefined) {
      return { failure: unsupportedType() };
    }
    const name = fileNameOf(file);
    try {
      const outcome = await this.receiptDownloader.fetch(file, signal, (content) =>
        erp.storeDocument({ name, mediaType, sizeBytes, content }),
      );
      return attemptOf(outcome);
    } catch (error) {
      if (error instanceof ReceiptNotFetched) {
        return error.isTransient ? { transient: error.failure } : { failure: error.failure };
      }
      throw error;
    }
  }

  /**
   * Where the ERP responds to other requests, only this document is the problem, and it must not delay all others.
   * @throws ErpUnavailable when it does not respond to others either
   */
  private async resultAfterLastAttempt(erp: ConnectedErp, last: Attempt): Promise<StoreReceiptResult> {
    if ('transient' in last) {
      return { failure: last.transient, isTransient: true };
    }
    if (!('unavailable' in last)) {
      return last;
    }
    if (WHOLE_ERP.has(last.unavailable.kind)) {
      throw new ErpUnavailable(last.unavailable);
    }
    await erp.listCompanies();
    return { failure: uploadFailure(last.unavailable.message) };
  }
}

function attemptOf(outcome: StoreDocumentOutcome): Attempt {
  switch (outcome.outcome) {
    case 'stored':
      return { documentId: outcome.documentId };
    case 'refused':
      return { failure: uploadFailure(outcome.message) };
    case 'unsupported-type':
      return { failure: unsupportedType() };
    case 'too-large':
      return { failure: tooLarge(outcome.limitBytes) };
    case 'unavailable':
      return { unavailable: outcome.failure };
  }
}

/** Doubled each time, with jitter: receipts that failed together are not tried again together. */
function pauseMs(attempt: number): number {
  const ceiling = FIRST_WAIT_MS * 2 ** attempt;
  const share = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
  return (ceiling / 2) * (1 + share);
}
