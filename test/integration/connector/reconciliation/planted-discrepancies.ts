// One way to spoil a history per kind of discrepancy, each with what has to be found of it.
import { randomUUID } from 'node:crypto';
import { plannedLine } from '../../../../src/erp-contract/posting-group.builder.js';
import type { InspectedEntry } from '../../../../src/connector/erp/erp-books.js';
import type { LocalDate } from '../../../../src/kernel/local-date.js';
import type { CurrencyCode } from '../../../../src/kernel/currency.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import type { ObservedDiscrepancy, History } from './history.js';
import { DAY, eurosOf, purchaseEntry, purchaseLines } from './history.js';

export type Planted = readonly Omit<ObservedDiscrepancy, 'state'>[];

interface Spot {
  readonly history: History;
  readonly job: FakeJob;
  readonly id: string;
}

type Plant = (spot: Spot) => Promise<void> | void;

const FAILED = `state = 'failed', external_id = NULL, failure_type = 'account_unknown', failure_reason = 'x'`;

async function item({ history, id }: Spot, change: string): Promise<void> {
  await history.query(`UPDATE export_item SET ${change} WHERE accounting_entry_id = $1`, id);
}

async function intent({ history, id }: Spot, change: string): Promise<void> {
  await history.query(`UPDATE posting_intent SET ${change} WHERE accounting_entry_id = $1`, id);
}

async function forgetIntent({ history, id }: Spot): Promise<void> {
  await history.query(`DELETE FROM posting_intent WHERE accounting_entry_id = $1`, id);
}

function booked({ history, id }: Spot, change: (entry: InspectedEntry) => InspectedEntry): void {
  history.erp.store.change(id, change);
}

const lines = (first: Partial<InspectedEntry['lines'][number]>) => (entry: InspectedEntry) => ({
  ...entry,
  lines: entry.lines.map((line, index) => (index === 0 ? { ...line, ...first } : line)),
});

const JOBS = 20;
const ITEMS_PER_JOB = 500;

/** Plants every kind of discrepancy once in a history of 10,000 items. */
export async function plantEverything(history: History): Promise<{ readonly open: Planted; readonly mended: Planted }> {
  const open: Omit<ObservedDiscrepancy, 'state'>[] = [];
  const mended: Omit<ObservedDiscrepancy, 'state'>[] = [];
  const kinds = [...Object.entries(ON_ITEMS), ...Object.entries(RESOLVED)];
  for (let index = 0; index < JOBS; index += 1) {
    const { job, ids } = await history.addJob(ITEMS_PER_JOB);
    for (const [at, [kind, spoil]] of kinds.entries()) {
      const id = ids[at * 7] ?? '';
      if (at % JOBS === index) {
        await spoil({ history, job, id });
        (kind in RESOLVED ? mended : open).push({ class: kind, subject: id });
      }
    }
  }
  const rest = await plantTheRest(history);
  await history.storeAmounts();
  const isMended = ({ class: kind }: Planted[number]) =>
    ['verdict-not-delivered', 'posted-not-reported', 'settlement-open'].includes(kind);
  mended.push(...rest.filter(isMended));
  open.push(...rest.filter((planted) => !isMended(planted)));
  return { open, mended };
}

/** A history of as many items in which nothing is wrong. */
export async function plantNothing(history: History): Promise<void> {
  for (let index = 0; index < JOBS; index += 1) {
    await history.addJob(ITEMS_PER_JOB);
  }
  await history.storeAmounts();
}

/** What goes wrong with one item of a job that is otherwise as it should be. */
const ON_ITEMS: Readonly<Record<string, Plant>> = {
  'posted-not-reported': ({ job, id }) => void job.statuses.set(id, 'abandoned'),
  'failure-not-reported': async (spot) => {
    spot.job.statuses.set(spot.id, 'abandoned');
    spot.history.erp.forget(spot.id);
    await forgetIntent(spot);
    await item(spot, FAILED);
  },
  'reported-as-failed': ({ job, id }) => void job.statuses.set(id, 'failed'),
  'reported-as-successful': async (spot) => {
    spot.history.erp.forget(spot.id);
    await forgetIntent(spot);
    await item(spot, FAILED);
  },
  'link-differs': ({ job, id }) =>
    void job.results.set(id, {
      accountingEntryId: id,
      status: 'successful',
      externalId: 'journal-of-another',
    }),
  'reported-not-posted': async (spot) => {
    spot.history.erp.forget(spot.id);
    await forgetIntent(spot);
  },
  'failed-but-posted': async (spot) => {
    spot.job.statuses.set(spot.id, 'failed');
    await item(spot, FAILED);
  },
  'late-effect': async (spot) => {
    spot.job.statuses.set(spot.id, 'failed');
    await item(spot, FAILED);
    await intent(spot, 'late_effect = true');
  },
  'deleted-in-erp': ({ history, id }) => {
    history.erp.forget(id);
  },
  'reversed-in-erp': ({ history, id }) => {
    history.erp.reverseByHand(id);
  },
  'stands-though-reversed': (spot) => intent(spot, `state = 'reversed'`),
  'altered-in-erp': ({ history, id }) => {
    history.erp.store.replace(id, (group) => ({ ...group, contentDigest: 'of something else' }));
  },
  'currency-drift': (spot) => {
    booked(spot, (entry) => ({ ...entry, currency: 'SEK' as CurrencyCode }));
  },
  'amount-drift': (spot) => {
    booked(spot, (entry) => ({
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
    }));
  },
  'tax-drift': (spot) => {
    booked(spot, lines({ taxCode: 'V25' }));
  },
  'account-drift': (spot) => {
    booked(spot, lines({ accountCode: '5420' }));
  },
  'date-drift': (spot) => {
    booked(spot, (entry) => ({ ...entry, postingDate: '2026-03-05' as LocalDate }));
  },
  'vendor-drift': (spot) => {
    booked(spot, lines({ vendorCode: 'V-9' }));
  },
  'dimension-drift': (spot) => {
    booked(spot, lines({ dimensions: { department: 'sales' } }));
  },
  'state-drift': (spot) => {
    booked(spot, (entry) => ({ ...entry, state: 'draft' }));
  },
};

/** Repaired by the run itself. */
const RESOLVED: Readonly<Record<string, Plant>> = {
  'unknown-outcome': async (spot) => {
    spot.job.statuses.set(spot.id, 'failed');
    spot.history.erp.forget(spot.id);
    await item(spot, FAILED);
    await intent(spot, `state = 'uncertain', external_id = NULL, posted_at = NULL`);
  },
  'posted-not-recorded': forgetIntent,
};

/** Those that take a job, or an entry, of their own. */
async function plantTheRest(history: History): Promise<Planted> {
  return [
    ...(await standsTwice(history)),
    ...(await leftUnsettled(history)),
    ...(await bookedForLess(history)),
    ...(await partlyReversed(history)),
    ...(await orphanedCodes(history)),
    ...(await missingOnEitherSide(history)),
    ...(await expired(history)),
    ...(await wholeJobs(history)),
    ...(await unannounced(history)),
  ];
}

async function standsTwice(history: History): Promise<Planted> {
  const { ids } = await history.addJob(2);
  const [again = '', copied = ''] = ids;
  const { store } = history.erp;
  store.put({ ...store.newest(again), revision: 2 });
  store.put({ ...store.newest(copied), key: `copy of ${copied}` });
  store.put({ ...store.newest(copied), key: 'orphan', accountingEntryId: randomUUID() });
  // The customer's own entries are out of scope.
  store.put({
    ...store.newest(copied),
    key: 'salaries',
    accountingEntryId: undefined,
    installationId: undefined,
  });
  return [
    { class: 'duplicate-in-erp', subject: again },
    { class: 'duplicate-in-erp', subject: `copy of ${copied}` },
    { class: 'orphan-entry', subject: 'orphan' },
  ];
}

async function partlyReversed(history: History): Promise<Planted> {
  const roles = [purchaseEntry({ role: 'invoice' }), purchaseEntry({ role: 'payment' })];
  const { ids } = await history.addJob(1, roles);
  const [id = ''] = ids;
  history.erp.store.change(id, (entry) => (entry.role === 'payment' ? { ...entry, state: 'reversed' } : entry));
  return [{ class: 'partly-reversed-in-erp', subject: id }];
}

/** A payment whose invoice came in another job, and one that waits for an invoice still. */
async function leftUnsettled(history: History): Promise<Planted> {
  const { account, ...line } = plannedLine('2440', 0n);
  const settlement = {
    kind: 'settles',
    vendor: { id: account.id as never, code: 'V-7' },
    numbers: ['A-1'],
    currency: 'EUR' as CurrencyCode,
    amountMinor: 10_000n,
  } as const;
  const lines = purchaseLines({ ...line, amountMinor: 10_000n, account });
  const { ids } = await history.addJob(2, [purchaseEntry({ role: 'payment', settlement }, lines)]);
  const [beside = '', waiting = ''] = ids;
  history.erp.store.change(beside, (entry) => ({ ...entry, settlementOpen: true }));
  history.erp.store.change(waiting, (entry) => ({ ...entry, settlementOpen: false }));
  return [{ class: 'settlement-open', subject: beside }];
}

/** Each entry stands as it was planned, and the items come to more. */
async function bookedForLess(history: History): Promise<Planted> {
  const { job, ids } = await history.addJob(3);
  await history.query(
    `UPDATE export_item SET amount = $2 WHERE accounting_entry_id = $1`,
    ids[0] ?? '',
    eurosOf('10001'),
  );
  return [{ class: 'job-total-differs', subject: job.id }];
}

async function orphanedCodes(history: History): Promise<Planted> {
  const [vendor, value] = [plannedLine('5410', 0n), plannedLine('5410', 0n)];
  const [withVendor, withValue] = [
    purchaseLines({
      ...vendor,
      amountMinor: 10_000n,
      vendor: { id: vendor.account.id as never, code: 'GONE' },
    }),
    purchaseLines({
      ...value,
      amountMinor: 10_000n,
      dimensions: [{ dimension: 'department', value: 'gone', decision: { by: 'code' } }],
    }),
  ];
  const first = await history.addJob(1, [purchaseEntry({}, withVendor)]);
  const second = await history.addJob(1, [purchaseEntry({}, withValue)]);
  return [
    { class: 'vendor-orphaned', subject: first.ids[0] ?? '' },
    { class: 'tag-orphaned', subject: second.ids[0] ?? '' },
  ];
}

async function missingOnEitherSide(history: History): Promise<Planted> {
  const [here, there] = [await history.addJob(3), await history.addJob(3)];
  const [unlisted = '', unrecorded = ''] = [here.ids[1], there.ids[2]];
  here.job.statuses.delete(unlisted);
  await history.query(`DELETE FROM export_item WHERE accounting_entry_id = $1`, unrecorded);
  await history.query(`DELETE FROM posting_intent WHERE accounting_entry_id = $1`, unrecorded);
  history.erp.forget(unrecorded);
  return [
    { class: 'missing-on-platform', subject: unlisted },
    { class: 'item-count-differs', subject: here.job.id },
    { class: 'missing-in-record', subject: unrecorded },
    { class: 'item-count-differs', subject: there.job.id },
  ];
}

async function expired(history: History): Promise<Planted> {
  const { job, ids } = await history.addJob(2);
  job.status = 'failed';
  const [recorded = '', unrecorded = ''] = ids;
  job.statuses.set(recorded, 'abandoned').set(unrecorded, 'abandoned');
  await history.query(`UPDATE export_job SET state = 'expired' WHERE id = $1`, job.id);
  await history.query(
    `UPDATE export_item SET state = 'pending', external_id = NULL, known_at = NULL WHERE accounting_entry_id = $1`,
    unrecorded,
  );
  return ids.map((subject) => ({ class: 'expired-with-posted-entry', subject }));
}

/** The last one to plant: of every job before it there was a message, of its own there was none. */
async function unannounced(history: History): Promise<Planted> {
  const { job } = await history.addJob(1);
  const { installationId } = history.tenant;
  await history.query(`UPDATE installation SET activated_at = '2026-01-01' WHERE id = $1`, installationId);
  await history.query(
    `INSERT INTO subscription (installation_id, platform_subscription_id, endpoint_token, endpoint_token_hash, updated_at)
     VALUES ($1, gen_random_uuid(), 'sealed', 'hash', now())`,
    installationId,
  );
  await history.query(
    `INSERT INTO notification (installation_id, webhook_id, event_id, event_type, subject_id, body, body_digest, received_at)
     SELECT installation_id, id, id, 'v1.export-job.created', id, '', '', detected_at FROM export_job WHERE id <> $1`,
    job.id,
  );
  return [{ class: 'webhook-not-received', subject: job.id }];
}

async function wholeJobs(history: History): Promise<Planted> {
  const { platform } = history.exports;
  const unheard = platform.addJob(history.tenant.companyId, [], { status: 'completed', createdAt: DAY });
  const [gone, otherwise] = [await history.addJob(1), await history.addJob(1)];
  const [waiting, unstarted] = [await history.addJob(1), await history.addJob(1)];
  platform.jobs.delete(gone.job.id);
  otherwise.job.status = 'completed_with_errors';
  // A report and a verdict that the platform has lost.
  waiting.job.status = 'in_progress';
  const [lost = ''] = waiting.ids;
  waiting.job.statuses.set(lost, 'pending');
  // One of which it has heard nothing at all.
  unstarted.job.status = 'pending';
  const [unheardOf = ''] = unstarted.ids;
  unstarted.job.statuses.set(unheardOf, 'pending');
  return [
    { class: 'job-not-received', subject: unheard.id },
    { class: 'job-not-on-platform', subject: gone.job.id },
    { class: 'verdict-differs', subject: otherwise.job.id },
    { class: 'verdict-not-delivered', subject: waiting.job.id },
    { class: 'posted-not-reported', subject: lost },
    { class: 'verdict-not-delivered', subject: unstarted.job.id },
    { class: 'posted-not-reported', subject: unheardOf },
  ];
}
