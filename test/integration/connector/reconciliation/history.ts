// A history of exports on which platform, connector and ERP agree, made by set-based statements, and ways to spoil it.
import { createHash, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { contentOf } from '../../../../src/connector/bookkeeping/item/content-of.js';
import type { PlannedEntry, PlannedLine } from '../../../../src/connector/bookkeeping/item/posting-plan.js';
import type { PostingGroup } from '../../../../src/connector/erp/erp-ledger.js';
import { RequestReexport } from '../../../../src/connector/exports/reexport/request-reexport.js';
import type { DiscrepancyActionResult } from '../../../../src/connector/reconciliation/actions/act-on-discrepancy.js';
import type { DiscrepancyAction } from '../../../../src/connector/reconciliation/domain/discrepancy-class.js';
import type { DiscrepancyView } from '../../../../src/connector/reconciliation/domain/discrepancy-view.js';
import { ReconciliationModule } from '../../../../src/connector/reconciliation/reconciliation.module.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { plannedEntry, plannedLine, postingGroup } from '../../../../src/erp-contract/posting-group.builder.js';
import { ExportsHarness, purchase, type Tenant } from '../exports/exports-harness.js';
import { ReconciliationUseCases } from './reconciliation-use-cases.js';

export const DAY = new Date('2026-03-02T10:00:00Z');
export const PERIOD = { from: new Date('2026-03-01T00:00:00Z'), until: new Date('2026-04-01T00:00:00Z') };
/** Of each item, in hundredths. */
const AMOUNT = '10000';
const NEVER = new AbortController().signal;

export interface ObservedDiscrepancy {
  readonly class: string;
  readonly subject: string;
  readonly state: string;
}

export class History {
  private constructor(
    readonly exports: ExportsHarness,
    readonly service: ReconciliationUseCases,
    readonly tenant: Tenant,
  ) {}

  static async start(): Promise<History> {
    const exports = await ExportsHarness.start(undefined, undefined, [ReconciliationModule]);
    // Results are final and what is posted stays posted; spoiling them takes a hand past the triggers.
    await exports.admin.query(`SET session_replication_role = replica`);
    // From the clock's beginning to after the period's jobs.
    exports.clock.passMinutes(38 * 24 * 60);
    return new History(exports, new ReconciliationUseCases(exports), await exports.addTenant());
  }

  /** Of every entry: as the platform gives its data when it is exported again. */
  private get contentDigest(): string {
    const item = purchase(this.tenant.companyId, { amount: AMOUNT });
    return 'item' in item ? createHash('sha256').update(contentOf(item.item)).digest('hex') : '';
  }

  get erp() {
    return this.exports.erp;
  }

  async query(statement: string, ...values: readonly unknown[]): Promise<void> {
    await this.exports.admin.query(statement, [...values]);
  }

  /**
   * A job that ended as it should: every item posted and reported.
   * @param entries of each item; a card purchase of 100.00 EUR by default
   */
  async addJob(
    items: number,
    entries: readonly PlannedEntry[] = [purchaseEntry()],
  ): Promise<{ readonly job: FakeJob; readonly ids: readonly string[] }> {
    const ids = Array.from({ length: items }, () => randomUUID());
    const groups = ids.map((id) => this.groupOf(id, entries));
    const job = this.exports.platform.addJob(
      this.tenant.companyId,
      ids.map((accountingEntryId) => ({ accountingEntryId, unreadable: 'not asked for any more' })),
      { status: 'completed', createdAt: DAY },
    );
    for (const group of groups) {
      const posted = this.erp.acceptGroup(group);
      job.statuses.set(group.key, 'successful');
      const externalId = posted.entries[0]?.id ?? '';
      job.results.set(group.key, { accountingEntryId: group.key, status: 'successful', externalId });
    }
    await this.record(job, groups);
    return { job, ids };
  }

  private groupOf(id: string, entries: readonly PlannedEntry[]): PostingGroup {
    const { installationId } = this.tenant;
    const group = postingGroup(id, { entries, contentDigest: this.contentDigest });
    return { ...group, trail: { ...group.trail, installationId } };
  }

  private async record(job: FakeJob, groups: readonly PostingGroup[]): Promise<void> {
    const { installationId, companyId } = this.tenant;
    const ids = groups.map(({ key }) => key);
    await this.query(
      `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
         mapping_version, erp_company_id, created_on_platform_at, expires_at, detected_at, next_run_at, finished_at)
       VALUES ($1, $2, $3, 'completed', $4, false, 1, $5, $6, $6, $6, $6, $6)`,
      installationId,
      job.id,
      companyId,
      ids.length,
      this.erp.companyId,
      DAY,
    );
    await this.query(
      `INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, external_id,
         exported_at, known_at)
       SELECT $1, $2, id, ordinal, 'successful', 'journal-' || id, $4, $4
       FROM unnest($3::uuid[]) WITH ORDINALITY AS item (id, ordinal)`,
      installationId,
      job.id,
      ids,
      DAY,
    );
    await this.query(
      `WITH chunk AS (INSERT INTO plan_chunk (installation_id, export_job_id, id, plans)
         SELECT $1, $3, gen_random_uuid(), jsonb_object_agg(id, plan::jsonb)
         FROM unnest($4::uuid[], $5::text[]) AS intent (id, plan) HAVING count(*) > 0 RETURNING id)
       INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
         content_digest, plan_chunk_id, fence, state, external_id, external_url, posted_at, created_at)
       SELECT $1, $2, entry, $3, 1, $7, chunk.id, 1, 'posted', 'journal-' || entry, 'erp://' || entry, $6, $6
       FROM unnest($4::uuid[]) AS entry, chunk`,
      installationId,
      this.erp.companyId,
      job.id,
      ids,
      groups.map(({ entries }) =>
        JSON.stringify(entries, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
      ),
      DAY,
      this.contentDigest,
    );
    await this.query(
      `INSERT INTO outbox (installation_id, export_job_id, seq, kind, body, created_at, delivered_at)
       VALUES ($1, $2, 1, 'verdict', '{"event": "completed"}', $3, $3)`,
      installationId,
      job.id,
      DAY,
    );
  }

  /** Keeps of every item that was not kept that it was of 100.00 EUR, as the platform says. */
  async storeAmounts(): Promise<void> {
    await this.query(`UPDATE export_item SET amount = $1 WHERE amount IS NULL`, eurosOf(AMOUNT));
  }

  /** One run over the whole period, to its end. */
  async reconcile(): Promise<void> {
    const { installationId } = this.tenant;
    await this.service.request(installationId, { period: PERIOD });
    await this.service.processDue(installationId, NEVER);
  }

  /** What the schedule does with a job that has ended: its own run, to its end. */
  async compareEnded(jobId: string): Promise<void> {
    await this.query(`UPDATE export_job SET finished_at = now(), version = version + 1 WHERE id = $1`, jobId);
    await this.service.wake();
    await this.runAgain();
  }

  /** Whatever has been given back is taken up again. */
  async runAgain(): Promise<void> {
    await this.query(`UPDATE reconciliation_run SET next_attempt_at = now()`);
    await this.service.processDue(this.tenant.installationId, NEVER);
  }

  /**
   * Lets the platform make the jobs that were asked for, and exports them.
   * @param ids entries of which the platform gives data: a card purchase of 100.00 EUR each
   * @returns the jobs
   */
  async exportAgain(ids: readonly string[], tenant = this.tenant): Promise<readonly FakeJob[]> {
    const { platform } = this.exports;
    platform.unexported.push(...ids.map((id) => purchase(tenant.companyId, { id, amount: AMOUNT })));
    const before = new Set(platform.jobs.keys());
    const { installationId } = tenant;
    const { rows } = await this.exports.admin.query<{ id: string }>(
      `SELECT id FROM reexport WHERE state = 'waiting' ORDER BY created_at`,
    );
    for (const { id } of rows) {
      await this.exports.get(RequestReexport).requestIfCompanyFree({ installationId, id });
      await this.exports.processQueue(tenant);
    }
    return [...platform.jobs.values()].filter(({ id }) => !before.has(id));
  }

  /** Every discrepancy that was ever written down, ordered. */
  async discrepancies(): Promise<readonly ObservedDiscrepancy[]> {
    const { rows } = await this.exports.admin.query<ObservedDiscrepancy>(
      `SELECT class, subject, state FROM discrepancy ORDER BY class, subject`,
    );
    return rows;
  }

  async open(): Promise<readonly DiscrepancyView[]> {
    const filter = { state: 'open', class: undefined } as const;
    return this.service.reader.listDiscrepancies(this.tenant.installationId, filter, undefined, 10);
  }

  /** A person does that about the first one that is open. */
  async act(action: DiscrepancyAction): Promise<DiscrepancyActionResult> {
    const [discrepancy] = await this.open();
    const decision = { action, note: 'looked into', by: 'Ada' };
    return this.service.act(this.tenant.installationId, discrepancy?.id ?? '', decision);
  }

  /** Of each revision of an entry. */
  async intentStates(id: string): Promise<unknown> {
    const { rows } = await this.exports.admin.query(
      `SELECT state FROM posting_intent WHERE accounting_entry_id = $1 ORDER BY revision`,
      [id],
    );
    return rows;
  }

  /** Something stands in the books of which the platform says that it failed. */
  async failedButPosted(id: string): Promise<void> {
    await this.query(
      `UPDATE export_item SET state = 'failed', external_id = NULL, failure_type = 'x', failure_reason = 'x'
     WHERE accounting_entry_id = $1`,
      id,
    );
    const [job] = [...this.exports.platform.jobs.values()];
    job?.statuses.set(id, 'failed');
    await this.reconcile();
    expect(await this.open()).toMatchObject([{ class: 'failed-but-posted', subject: id }]);
  }

  async lastRun(): Promise<unknown> {
    const [run] = await this.service.reader.listRuns(this.tenant.installationId, undefined, 1);
    return run;
  }
}

export function purchaseEntry(more: Partial<PlannedEntry> = {}, lines = purchaseLines()): PlannedEntry {
  return plannedEntry(lines, more);
}

export function purchaseLines(more: Partial<PlannedLine> = {}): readonly PlannedLine[] {
  const { account } = plannedLine('1935', 0n);
  const wallet = { account: { ...account, decision: { by: 'contra-account' as const } } };
  return [plannedLine('5410', 10_000n, more), plannedLine('1935', -10_000n, wallet)];
}

/** The amount of an item. @param value hundredths of a euro */
export function eurosOf(value: string): object {
  return { currency: 'EUR', value };
}
