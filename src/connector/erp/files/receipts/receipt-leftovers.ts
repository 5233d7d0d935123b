// What is kept of receipts for nothing: uploads that were broken off, and receipts of entries that were never posted.
import type { Clock } from '../../../../kernel/clock.js';
import { UNATTACHED_DOCUMENT_DAYS } from '../../erp-ledger.js';
import type { ErpStore, StoredValue } from '../../kit/erp-store.js';
import { removePieces } from './receipt-files.js';
import {
  LOOSE_PREFIX,
  looseKey,
  receiptKey,
  receiptOf,
  UPLOAD_PREFIX,
  uploadBegunAt,
  uploadKey,
} from './stored-receipts.js';

const DAY_MS = 86_400_000;
const PAGE = 1_000;

export class ReceiptLeftovers {
  constructor(
    private readonly store: ErpStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Removes receipts that no entry has had for `UNATTACHED_DOCUMENT_DAYS`, and uploads that were begun a day ago.
   * @throws Error of the store; the next call removes the rest
   */
  async remove(): Promise<void> {
    for await (const { key, version } of this.all(LOOSE_PREFIX)) {
      await this.removeLoose(key.slice(LOOSE_PREFIX.length), version);
    }
    for await (const { key, value } of this.all(UPLOAD_PREFIX)) {
      if (this.isOlderThan(uploadBegunAt(value), 1)) await removePieces(this.store, key.slice(UPLOAD_PREFIX.length));
    }
  }

  private async *all(prefix: string): AsyncGenerator<StoredValue & { readonly key: string }> {
    for (let after: string | undefined; ;) {
      const page = await this.store.list(prefix, after, PAGE);
      yield* page;
      after = page.at(-1)?.key;
      if (page.length < PAGE) return;
    }
  }

  /** Its pieces are those of an upload then, which a call that is broken off leaves to the next. */
  private async removeLoose(sha256: string, looseVersion: number): Promise<void> {
    const key = receiptKey(sha256);
    const stored = (await this.store.read([key])).get(key);
    const receipt = receiptOf(stored);
    const since = receipt?.looseSince;
    if (stored === undefined || receipt === undefined || since === undefined) return;
    if (!this.isOlderThan(new Date(since), UNATTACHED_DOCUMENT_DAYS)) return;
    // Not when it was sent again or an entry got it meanwhile.
    await this.store.commit([
      { key, value: undefined, expectedVersion: stored.version },
      { key: looseKey(sha256), value: undefined, expectedVersion: looseVersion },
      { key: uploadKey(receipt.upload), value: since, expectedVersion: 0 },
    ]);
  }

  private isOlderThan(time: Date, days: number): boolean {
    return this.clock.now().getTime() - time.getTime() > days * DAY_MS;
  }
}
