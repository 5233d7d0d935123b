import { randomUUID } from 'node:crypto';
import { localizeProblem } from '../../../../../src/connector/messages/texts.js';
import { expect } from '@jest/globals';
import type { BookkeepingPolicies } from '../../../../../src/connector/bookkeeping/item/bookkeeping-context.js';
import { itemOf } from '../../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { FetchedItem } from '../../../../../src/connector/platform/platform-api.js';
import type { FakeJob } from '../../../../support/platform/fake-platform.js';
import { fetched, purchase, type ExportsHarness, type Tenant } from '../exports-harness.js';

/** Lines of `original` and `changed` as a bookkeeper is shown them. */
export const ORIGINAL_LINES = '5410 +125.00 · 1935 −125.00 EUR on 2026-02-10';
export const CHANGED_LINES = '5410 +999.00 · 1935 −999.00 EUR on 2026-02-10';

/** An accounting entry of a tenant of its own that is exported again and again. */
export class ChangingEntry {
  readonly id = randomUUID();
  readonly externalId = `journal-${this.id}`;
  /** The warning of an entry that replaces the first one. */
  readonly replacing = `It replaces ${this.externalId}, which an earlier export had posted and which was reversed.`;

  private constructor(
    readonly exports: ExportsHarness,
    readonly tenant: Tenant,
  ) {}

  /** With a platform and an ERP in good health. */
  static async of(
    exports: ExportsHarness,
    policies: Partial<BookkeepingPolicies> = { conflicts: 'reverse-and-repost' },
  ): Promise<ChangingEntry> {
    exports.platform.restore();
    exports.erp.restore();
    return new ChangingEntry(exports, await exports.addTenant({ policies }));
  }

  original(): FetchedItem {
    return purchase(this.tenant.companyId, { id: this.id });
  }

  changed(account = '5410'): FetchedItem {
    return purchase(this.tenant.companyId, { id: this.id, amount: '99900', account });
  }

  /** Of a fee that names no account, so that its plan has a warning. */
  fee(): FetchedItem {
    const item = itemOf({ type: 'fee', amount: '250', lines: [{ amount: '250', account: null }] });
    return fetched(this.tenant.companyId, this.id, item);
  }

  /** Another entry of the same company. */
  other(account = '5410'): FetchedItem {
    return purchase(this.tenant.companyId, { account });
  }

  /** Exports the items as a job of their own; calls to the ERP before it are forgotten. */
  async exportOf(...items: readonly FetchedItem[]): Promise<FakeJob> {
    this.exports.erp.calls.length = 0;
    const job = await this.exports.addJob(this.tenant, items);
    await this.processQueueAgain();
    return job;
  }

  async processQueueAgain(): Promise<void> {
    await this.exports.processQueueAgain(this.tenant);
  }

  /** Kinds of the calls to the ERP, in order. */
  get calls(): readonly string[] {
    return this.exports.erp.calls.map(({ call }) => call);
  }

  /** What the ERP has under a key, revision by revision. */
  books(key: string = this.id): readonly string[] {
    return this.exports.erp.revisionsOf(key).map(({ reversed }) => (reversed ? 'reversed' : 'stands'));
  }

  /** Revision, state, id in the ERP, and whether a reversal was sent. */
  async intents(): Promise<readonly (readonly unknown[])[]> {
    const { rows } = await this.exports.admin.query<unknown[]>({
      text: `SELECT revision, state, external_id, reversal_sent_at IS NOT NULL FROM posting_intent
             WHERE accounting_entry_id = $1 ORDER BY revision`,
      values: [this.id],
      rowMode: 'array',
    });
    return rows;
  }

  /** As after the loss of our database. */
  async forgetRecord(): Promise<void> {
    await this.exports.admin.query('DELETE FROM posting_intent WHERE accounting_entry_id = $1', [this.id]);
  }

  reasonIn(job: FakeJob): string {
    const result = job.results.get(this.id);
    return (result?.status === 'failed' ? result.failureReason : undefined) ?? '';
  }

  /** In English. */
  async warningsIn(job: FakeJob): Promise<unknown> {
    const [[warnings = []] = []] = await this.exports.rows('export_item', job.id, 'warnings');
    return (warnings as readonly string[]).map((warning) => localizeProblem('en', warning));
  }

  /** The new content is in the books once, the first one is out of them, and the bookkeeper was notified. */
  async expectReplaced(job: FakeJob): Promise<void> {
    expect(this.books()).toEqual(['reversed', 'stands']);
    expect(job.results.get(this.id)).toMatchObject({
      status: 'successful',
      externalId: `${this.externalId}-2`,
    });
    expect(await this.warningsIn(job)).toEqual([this.replacing]);
    expect(await this.intents()).toEqual([
      [1, 'reversed', this.externalId, true],
      [2, 'posted', `${this.externalId}-2`, false],
    ]);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
  }
}
