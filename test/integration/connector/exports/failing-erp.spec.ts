import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { FetchedItem } from '../../../../src/connector/platform/platform-api.js';
import { HttpProxy, type Boundaries, type Passing } from '../../../../src/erp-contract/http-proxy.js';
import type { ErpCompanyId } from '../../../../src/kernel/ids.js';
import { createCompany, LEDGER_KEY, startLedgerServer } from '../../../contract/erp-ledger/ledger-server.js';
import { OneAdapter, openLedgerAdapter } from '../../../support/one-erp.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { startedOnce } from '../../../support/started-once.js';
import { ExportsHarness, fetched, purchases, type Tenant } from './exports-harness.js';
import { FakeClock } from './fake-clock.js';

// The real ledger over HTTP, with a share of its answers replaced by failures. How long it takes is what the worker waits: within
// a run by the clock of the adapter, between runs by the time at which the job is due.

const ENTRIES = 5;
/** Of them, each with a vendor that the ERP does not know. */
const BILLS = 3;
const SHARE = 0.3;
const ROUNDS = 12;
/** Of one job: a read that fails four times in a row ends a run. */
const MAX_RUNS = 5;
const MAX_SECONDS = 60;
const MAX_PAUSE_SECONDS = 60;
const FAILED = { status: 500, body: '{"status":500,"detail":"broken on purpose"}' } as const;

class CountingClock extends FakeClock {
  sleptMs = 0;

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await super.sleep(ms, signal);
    this.sleptMs += ms;
  }
}

async function startThrough() {
  const ledger = await startLedgerServer();
  const proxy = await HttpProxy.start(0, ledger.url);
  const clock = new CountingClock();
  const adapter = openLedgerAdapter(proxy.url, LEDGER_KEY, { level: 'permanent-key' }, clock);
  return {
    ...{ ledger, proxy, clock, connections: new OneAdapter(adapter) },
    async close() {
      adapter.close();
      await proxy.close();
      await ledger.close();
    },
  };
}

const erp = startedOnce(startThrough);
const exports = startedOnce(() => ExportsHarness.start(erp.connections));
let company: ErpCompanyId;

beforeEach(async () => {
  erp.proxy.boundaries = {};
  company = await createCompany(erp.ledger);
});

interface Outcome {
  readonly state: unknown;
  readonly runs: number;
  /** That the worker has waited, within its runs and between them. */
  readonly seconds: number;
}

function bill({ companyId }: Tenant, name: string): FetchedItem {
  const vendor = { id: randomUUID(), name, defaultCurrency: 'EUR' };
  const lines = [{ amount: '1000', account: '5410' }];
  const item = itemOf({ type: 'card_purchase', method: 'accounts_payable', amount: '1000', lines, vendor });
  return fetched(companyId, randomUUID(), item);
}

/**
 * Lets a worker run a new job as often as it needs, each time when it is due.
 * @param bills of its entries
 * @param known a customer that has exported before
 */
async function exported(
  boundaries: Boundaries,
  bills = BILLS,
  known?: Tenant,
): Promise<Outcome & { readonly job: FakeJob; readonly tenant: Tenant }> {
  const policies = { postingState: 'posted', unknownVendor: 'create' } as const;
  const tenant = known ?? (await exports.addTenant({ erpCompany: company, policies }));
  const job = await exports.addJob(tenant, [
    ...purchases(tenant.companyId, ENTRIES - bills),
    ...Array.from({ length: bills }, (_, index) => bill(tenant, `Vendor ${index.toString()}`)),
  ]);
  erp.proxy.boundaries = boundaries;
  let betweenRuns = 0;
  erp.clock.sleptMs = 0;
  for (let runs = 1; ; runs += 1) {
    await exports.processQueueAgain(tenant);
    const [state, pause] = await restOf(tenant, job);
    if (state === 'completed' || runs === MAX_RUNS) {
      return { job, tenant, state, runs, seconds: erp.clock.sleptMs / 1_000 + betweenRuns };
    }
    expect([state, pause > 0 && pause <= MAX_PAUSE_SECONDS]).toEqual([state, true]);
    betweenRuns += pause;
  }
}

/** The job's state, and the seconds until it is due. No worker holds its company meanwhile. */
async function restOf({ installationId }: Tenant, { id }: FakeJob): Promise<readonly [unknown, number]> {
  const { rows } = await exports.admin.query<{ state: string; pause: number; held: boolean }>(
    `SELECT state, extract(epoch FROM next_run_at - now())::float8 AS pause,
       EXISTS (SELECT FROM company_lease l WHERE l.installation_id = $1 AND l.expires_at > now()) AS held
     FROM export_job WHERE installation_id = $1 AND id = $2`,
    [installationId, id],
  );
  expect(rows[0]?.held).toBe(false);
  return [rows[0]?.state, rows[0]?.pause ?? 0];
}

interface Booked {
  readonly data: readonly { readonly key: string; readonly role: string; readonly name: string }[];
}

/** A purchase is one journal entry, a bill an invoice and its payment; and each vendor is there once. */
async function expectBookedOnce(job: FakeJob): Promise<void> {
  const [entries, vendors] = await Promise.all(
    ['journal-entries', 'vendors'].map((list) => erp.ledger.get<Booked>(`/companies/${company}/${list}`)),
  );
  const booked = entries?.data.map(({ key, role }) => `${key} ${role}`) ?? [];
  expect([booked.length, new Set(booked).size]).toEqual([ENTRIES + BILLS, ENTRIES + BILLS]);
  const keys = new Set(entries?.data.map(({ key }) => key));
  expect([...keys].sort()).toEqual([...job.results.keys()].sort());
  const created = vendors?.data.map(({ name }) => name).filter((name) => name.startsWith('Vendor '));
  expect(created?.sort()).toEqual(Array.from({ length: BILLS }, (_, index) => `Vendor ${index.toString()}`));
}

/** Of one kind: the same method and path, whatever ids are in it. */
const kindOf = ({ method, path }: Passing) =>
  `${method} ${(path.split('?', 1)[0] ?? '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')}`;

describe('an ERP of whose calls 30 % fail with 500', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'has each entry once after a few runs, and soon (seed %i)',
    async (seed) => {
      const chance = randomNumbers(seed);
      // Half of them before they have an effect, half of them after it.
      const fails = () => (chance() < SHARE / 2 ? FAILED : true);
      const { job, state, seconds } = await exported({ onRequest: fails, onResponse: fails });
      expect([state, seconds <= MAX_SECONDS, seconds]).toEqual(['completed', true, seconds]);
      await expectBookedOnce(job);
    },
  );
});

const FAILURES = [
  ['500 before its effect', 'onRequest', FAILED],
  ['500 after its effect', 'onResponse', FAILED],
  ['no answer before its effect', 'onRequest', 'cut'],
  ['no answer after its effect', 'onResponse', 'cut'],
  ['429', 'onRequest', { status: 429, body: '{}' }],
  ['a page in HTML', 'onResponse', { status: 200, body: '<html>sign in</html>' }],
] as const;

describe('a kind of call that fails once', () => {
  let kinds: readonly string[];
  beforeAll(async () => {
    const before = erp.proxy.seen.length;
    company = await createCompany(erp.ledger);
    expect(await exported({})).toMatchObject({ state: 'completed', runs: 1, seconds: 0 });
    kinds = [...new Set(erp.proxy.seen.slice(before).map(kindOf))];
  });

  it.each(FAILURES)('with %s leaves no job running, and posts each entry once', async (_, boundary, passage) => {
    expect(kinds.map((kind) => kind.split('/').at(-1))).toEqual(['master-data', 'vendors', 'posting-groups']);
    // Each by itself, and then each of them in the same job.
    for (const failing of [...kinds.map((kind) => [kind]), kinds]) {
      company = await createCompany(erp.ledger);
      const left = new Set(failing);
      const { job, state, seconds } = await exported({
        [boundary]: (passing: Passing) => (left.delete(kindOf(passing)) ? passage : true),
      });
      expect([failing, [...left], state, seconds <= MAX_SECONDS]).toEqual([failing, [], 'completed', true]);
      await expectBookedOnce(job);
    }
  });
});

describe('the lists of an ERP that have changed, and each fail once when they are read again', () => {
  const LISTS = ['', '/accounts', '/tax-codes', '/dimensions', '/dimension-values', '/vendors', '/periods'];

  async function changeLists(): Promise<void> {
    const changes = [
      ['accounts', { code: '5411', name: 'Consumables abroad', type: 'expense' }],
      ['tax-codes', { code: 'I9', name: '9 %', rate: '0.09', inputAccountCode: '2641' }],
      ['dimensions', { code: 'PR', name: 'Project' }],
      ['vendors', { number: 'V-9', name: 'Changed Ltd' }],
      ['periods', { fiscalYear: 2027, from: '2027-01-01', to: '2027-12-31', state: 'open' }],
    ] as const;
    for (const [list, row] of changes) {
      await erp.ledger.put(`/companies/${company}/${list}`, { data: [row] });
    }
  }

  it.each(FAILURES)('with %s leave no job running, and each entry posted once', async (_, boundary, passage) => {
    // Without new vendors, after which all lists are read.
    const first = await exported({}, 0);
    await changeLists();
    const left = new Set(LISTS.map((list) => `GET /companies/{id}${list}`));
    const second = await exported(
      { [boundary]: (passing: Passing) => (left.delete(kindOf(passing)) ? passage : true) },
      0,
      first.tenant,
    );
    expect([[...left], second.state, second.seconds <= MAX_SECONDS]).toEqual([[], 'completed', true]);
    const booked = await erp.ledger.get<Booked>(`/companies/${company}/journal-entries`);
    const keys = [first, second].flatMap(({ job }) => [...job.results.keys()]);
    expect(booked.data.map(({ key }) => key).sort()).toEqual(keys.sort());
  });
});

describe('an ERP that fails each time on one thing, and on nothing else', () => {
  const failingOn = (path: string, text: string): Boundaries => ({
    onRequest: (passing) => (passing.path.endsWith(path) && passing.body.includes(text) ? FAILED : true),
  });

  it('takes every other entry of a long job; that entry fails, with the reason, in the same run [H18]', async () => {
    const tenant = await exports.addTenant({ erpCompany: company, policies: { postingState: 'posted' } });
    const items = purchases(tenant.companyId, 620);
    const poison = items[2]?.accountingEntryId ?? '';
    const job = await exports.addJob(tenant, items);
    erp.proxy.boundaries = failingOn('/posting-groups', poison);
    const before = erp.proxy.seen.length;
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('completed_with_errors');
    expect(job.results.get(poison)).toMatchObject({
      failureReasonType: 'accounting_system_validation_failure',
      failureReason: expect.stringContaining('failed each time it was sent this entry, and took others meanwhile'),
    });
    const successful = [...job.results.values()].filter(({ status }) => status === 'successful');
    expect(successful).toHaveLength(619);
    const booked = await erp.ledger.get<Booked>(`/companies/${company}/journal-entries?limit=1000`);
    expect(new Set(booked.data.map(({ key }) => key)).size).toBe(619);
    const posts = erp.proxy.seen.slice(before).filter(({ path }) => path.endsWith('/posting-groups'));
    expect(posts.length).toBeLessThanOrEqual(30);
  });

  it('creates every other vendor and takes their entries; those of that vendor wait', async () => {
    const policies = { postingState: 'posted', unknownVendor: 'create' } as const;
    const tenant = await exports.addTenant({ erpCompany: company, policies });
    const items = [
      ...['Good one', 'Bad one', 'Good two'].map((name) => bill(tenant, name)),
      ...purchases(tenant.companyId, 3),
    ];
    const bad = items[1]?.accountingEntryId ?? '';
    const job = await exports.addJob(tenant, items);
    erp.proxy.boundaries = failingOn('/vendors', 'Bad one');
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('running');
    expect([...job.results.keys()].toSorted()).toEqual([...job.statuses.keys()].filter((id) => id !== bad).toSorted());
    erp.proxy.boundaries = {};
    await exports.processQueueAgain(tenant);
    expect(await exports.stateOf(job)).toBe('completed');
    const vendors = await erp.ledger.get<Booked>(`/companies/${company}/vendors`);
    expect(vendors.data.filter(({ name }) => name.endsWith(' one')).map(({ name }) => name)).toHaveLength(2);
  });
});
