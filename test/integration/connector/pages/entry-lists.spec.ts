import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ExportItem } from '../../../../src/connector/bookkeeping/item/export-item.js';
import type { ExportJob } from '../../../../src/connector/exports/domain/export-job.js';
import { storeItems } from '../../../../src/connector/exports/stores/stored-contents.js';
import { startConnectorApp, storeInstallation, type StoredInstallation } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { viewerOf } from './viewer.js';

// How people look for an entry over all exports, and what became of it.

const connector = startedOnce(startConnectorApp);
let mine: StoredInstallation;
let get: Awaited<ReturnType<typeof viewerOf>>;

const TAXI = randomUUID();
const TOOLS = randomUUID();
const SOFTWARE = randomUUID();
const LUNCH = randomUUID();
let january: string;
let march: string;

interface Planted {
  readonly id: string;
  readonly value: string;
  readonly date: string;
  readonly supplier: string;
  readonly account: string;
  readonly state: 'successful' | 'failed';
  readonly type?: string;
}

const itemOf = ({ id, value, date, supplier, account, type = 'card_purchase' }: Planted): ExportItem => {
  const amount = { inSupplierCurrency: { value, currency: 'EUR' }, inWalletCurrency: { value, currency: 'EUR' } };
  return {
    ...{ accountingEntryId: id, type, date: `${date}T10:00:00Z`, amount, vendor: { id: randomUUID(), name: supplier } },
    accountingEntryLines: [
      {
        ...{ accountingEntryLineId: randomUUID(), lineAmount: amount, netAmount: amount },
        account: { id: randomUUID(), code: account, name: `Account ${account}` },
      },
    ],
    additionalInformation: { reconciliationId: 'r', invoiceInformation: { invoiceNumber: `R-${account}` } },
  };
};

async function plantJob(detectedAt: string, planted: readonly Planted[], of = mine): Promise<string> {
  const id = randomUUID();
  await connector.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping, erp_company_id,
       created_on_platform_at, expires_at, detected_at, next_run_at) VALUES ($1, $2, $3, 'completed', $4, false, 'erp', $5, $5, $5, $5)`,
    [of.id, id, of.companyId, planted.length, detectedAt],
  );
  const job = { id, installationId: of.id } as unknown as ExportJob;
  const ended = planted.map((each) => {
    const externalId = each.state === 'successful' ? `J-${each.account}` : undefined;
    return [each.id, { item: itemOf(each), state: each.state, externalId }] as const;
  });
  const storedIn = await connector.runtime.database.inInstallation('plant', of.id, (tx) =>
    storeItems(tx, job, new Map(ended)),
  );
  for (const [index, { id: entryId, value, state, account }] of planted.entries()) {
    await connector.admin.query(
      `INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, amount, item_chunk_id, external_id,
         failure_type, failure_reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
      [
        ...[of.id, id, entryId, index + 1, state, JSON.stringify({ currency: 'EUR', value }), storedIn.get(entryId)],
        ...[state === 'successful' ? `J-${account}` : null, state === 'failed' ? 'account_unknown' : null],
      ],
    );
  }
  return id;
}

async function plantPosting(jobId: string, entryId: string, revision: number, state: string): Promise<void> {
  await connector.admin.query(
    `INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, revision, export_job_id, mapping_version,
       content_digest, fence, state, external_id, posted_at, created_at) VALUES ($1, 'erp', $2, $3, $4, 1, 'd', 1, $5, $6, $7, now())`,
    [
      ...[mine.id, entryId, revision, jobId, state],
      ...(state === 'uncertain' ? [null, null] : [`erp-${revision.toString()}`, '2026-03-05T10:00:00Z']),
    ],
  );
}

beforeAll(async () => {
  mine = await storeInstallation(connector, 'Mine');
  get = await viewerOf(connector, mine);
  await connector.admin.query(
    `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, '{}', 'test', now())`,
    [mine.id],
  );
  const taxi = { id: TAXI, value: '4550', date: '2026-01-11', supplier: 'Taxi Müller', account: '6420' };
  const tools = { id: TOOLS, value: '-12500', date: '2026-01-13', supplier: 'Hammer A/S', account: '6540' };
  january = await plantJob('2026-01-31T10:00:00Z', [
    { ...taxi, state: 'failed' },
    { ...tools, state: 'successful' },
  ]);
  march = await plantJob('2026-03-05T10:00:00Z', [
    { ...taxi, state: 'successful' },
    { id: SOFTWARE, value: '12500', date: '2026-03-02', supplier: 'Cloud Ltd', account: '6540', state: 'failed' },
    {
      id: LUNCH,
      value: '990',
      date: '2026-03-01',
      supplier: 'Taxi Café',
      account: '7350',
      state: 'successful',
      type: 'invoice',
    },
  ]);
  await plantPosting(march, TAXI, 1, 'posted');
  await plantPosting(january, TOOLS, 1, 'posted');
  await connector.admin.query(
    `UPDATE posting_intent SET state = 'reversed', reversal_sent_at = now() WHERE accounting_entry_id = $1`,
    [TOOLS],
  );
  await plantPosting(march, LUNCH, 1, 'uncertain');
  await connector.admin.query(
    `INSERT INTO posting_resolution (installation_id, erp_company_id, accounting_entry_id, revision, sent_at, outcome, note,
       resolved_by, resolved_at) VALUES ($1, 'erp', $2, 1, now(), 'not-in-the-books', 'looked', 'member Ada', '2026-03-06T10:00:00Z')`,
    [mine.id, LUNCH],
  );
  await connector.admin.query(
    `INSERT INTO issue (installation_id, issue_key, kind, reference, failure_type, reason, first_seen_at, last_seen_at)
     VALUES ($1, 'account:6420', 'account', '6420', 'account_unknown', 'unknown', now(), now())`,
    [mine.id],
  );
  await connector.admin.query(
    `INSERT INTO failed_entry (installation_id, issue_key, accounting_entry_id, export_job_id, first_seen_at, last_seen_at,
       cleared_at, cleared_by_job_id) VALUES ($1, 'account:6420', $2, $3, now(), now(), now(), $4)`,
    [mine.id, TAXI, january, march],
  );
  await connector.admin.query(
    `INSERT INTO reexport (installation_id, id, company_id, entry_ids, vendor_based_bookkeeping, state, export_job_id, requested_by,
       created_at, next_try_at) VALUES ($1, $2, $3, ARRAY[$4::uuid], false, 'created', $5, 'member Ada', now(), now())`,
    [mine.id, randomUUID(), mine.companyId, TAXI, march],
  );
});

const NAMES = new Map<string, string>([
  [TAXI, 'taxi'],
  [TOOLS, 'tools'],
  [SOFTWARE, 'software'],
  [LUNCH, 'lunch'],
]);
const namesIn = (json: Readonly<Record<string, unknown>>) =>
  (json['data'] as readonly { accountingEntryId: string }[]).map(({ accountingEntryId }) =>
    NAMES.get(accountingEntryId),
  );

describe('entries over all exports', () => {
  it('appear once, with the state of their newest export and of the books', async () => {
    const { json } = await get('/entries');
    expect(namesIn(json).slice(3)).toEqual(['tools']);
    expect(new Set(namesIn(json).slice(0, 3))).toEqual(new Set(['taxi', 'software', 'lunch']));
    const taxi = (json['data'] as readonly object[]).find((entry) => Reflect.get(entry, 'accountingEntryId') === TAXI);
    expect(taxi).toMatchObject({
      date: '2026-01-11',
      type: 'card_purchase',
      supplier: 'Taxi Müller',
      documentNumber: 'R-6420',
      accounts: [{ code: '6420', name: 'Account 6420' }],
      amount: { amountMinor: '4550', currency: 'EUR', exponent: 2 },
      state: 'posted',
      revision: 1,
      externalId: 'erp-1',
      exportJobId: march,
      issueKeys: [],
    });
  });

  it.each([
    ['search=muller', ['taxi']],
    ['search=TAXI', ['lunch', 'taxi']],
    ['search=r-6540', ['software', 'tools']],
    ['search=j-6540', ['tools']],
    ['search=taxi&supplier=caf%C3%A9', ['lunch']],
    ['supplier=hammer', ['tools']],
    [`search=${TOOLS.toUpperCase()}`, ['tools']],
    ['search=2026', []],
    ['amount=125', ['software', 'tools']],
    ['amount=125,00&state=failed', ['software']],
    ['amount=12', []],
    ['minAmount=45.5&maxAmount=45,50', ['taxi']],
    ['minAmount=100', ['software', 'tools']],
    ['account=6540', ['software', 'tools']],
    ['account=654', []],
    ['type=invoice', ['lunch']],
    ['from=2026-01-12&to=2026-03-01', ['lunch', 'tools']],
    ['to=2026-01-11', ['taxi']],
    ['state=posted', ['taxi']],
    ['state=reversed', ['tools']],
    ['state=uncertain', ['lunch']],
    ['state=failed', ['software']],
    ['search=%25', []],
  ])('with ?%s are %j', async (query, expected) => {
    expect(namesIn((await get(`/entries?${query}`)).json).sort()).toEqual(expected);
    expect((await get(`/entries/totals?${query}`)).json['total']).toBe(expected.length);
  });

  it.each([
    ['', ['5540', 'EUR']],
    ['account=6540', ['0', 'EUR']],
    ['state=posted', ['4550', 'EUR']],
    ['from=2026-03-01', ['13490', 'EUR']],
  ])('with ?%s add up to %j', async (query, [amountMinor, currency]) => {
    const { json } = await get(`/entries/totals?${query}`);
    expect(json['amounts']).toEqual([{ amountMinor, currency, exponent: 2 }]);
  });

  it.each([
    ['date', ['taxi', 'tools', 'lunch', 'software']],
    ['-date', ['software', 'lunch', 'tools', 'taxi']],
    ['amount', ['tools', 'lunch', 'taxi', 'software']],
    ['supplier', ['software', 'tools', 'lunch', 'taxi']],
    ['-supplier', ['taxi', 'lunch', 'tools', 'software']],
  ])('are sorted by %s, page by page', async (sort, expected) => {
    const seen: unknown[] = [];
    for (let after = ''; ;) {
      const { json } = await get(`/entries?sort=${sort}&limit=1${after}`);
      seen.push(...namesIn(json));
      const { nextCursor } = json;
      if (typeof nextCursor !== 'string') break;
      after = `&after=${nextCursor}`;
    }
    expect(seen).toEqual(expected);
  });

  it('of large exports of the same moment are paged, each once', async () => {
    const theirs = await storeInstallation(connector, 'Theirs');
    const getTheirs = await viewerOf(connector, theirs);
    const entries = Array.from({ length: 2 }, () =>
      Array.from({ length: 230 }, (): Planted => ({
        ...{
          id: randomUUID(),
          value: '100',
          date: '2026-03-01',
          supplier: 'Many',
          account: '6540',
          state: 'successful',
        },
      })),
    );
    for (const planted of entries) await plantJob('2026-03-05T10:00:00Z', planted, theirs);
    const ids: string[] = [];
    let after = '';
    for (let page = 0; page < 7; page += 1) {
      const { json } = await getTheirs(`/entries?limit=70${after}`);
      ids.push(
        ...(json['data'] as readonly { accountingEntryId: string }[]).map(({ accountingEntryId }) => accountingEntryId),
      );
      after = `&after=${String(json['nextCursor'])}`;
    }
    expect(ids.sort()).toEqual(entries.flatMap((planted) => planted.map(({ id }) => id)).sort());
  });

  it.each(['date', 'amount', '-supplier'])('sorted by %s go on after one that was cleared meanwhile', async (sort) => {
    const theirs = await storeInstallation(connector, `Theirs by ${sort}`);
    const getTheirs = await viewerOf(connector, theirs);
    const plant = (index: number) => {
      const supplier = `Supplier ${(9 - index).toString()}`;
      const value = `${index.toString()}00`;
      const state = 'successful' as const;
      const date = `2026-01-1${index.toString()}`;
      return plantJob(
        '2026-01-31T10:00:00Z',
        [{ id: randomUUID(), value, date, supplier, account: '6420', state }],
        theirs,
      );
    };
    const [old, ...others] = [await plant(1), await plant(2), await plant(3)];
    const jobsIn = (json: Readonly<Record<string, unknown>>) =>
      (json['data'] as readonly { exportJobId: string }[]).map(({ exportJobId }) => exportJobId);
    const first = (await getTheirs(`/entries?sort=${sort}&limit=1`)).json;
    expect(jobsIn(first)).toEqual([old]);
    await connector.admin.query('UPDATE export_item SET item_chunk_id = NULL WHERE export_job_id = $1', [old]);
    await connector.admin.query('DELETE FROM item_chunk WHERE export_job_id = $1', [old]);
    const next = await getTheirs(`/entries?sort=${sort}&after=${String(first['nextCursor'])}`);
    expect(jobsIn(next.json)).toEqual(others);
  });

  it('are paged, each once', async () => {
    const seen: unknown[] = [];
    for (let after = ''; ;) {
      const { json } = await get(`/entries?limit=1${after}`);
      seen.push(...namesIn(json));
      const { nextCursor } = json;
      if (typeof nextCursor !== 'string') break;
      after = `&after=${nextCursor}`;
    }
    expect(seen).toEqual(namesIn((await get('/entries')).json));
  });

  it.each([
    'state=lost',
    'amount=1e3',
    'from=2026-13-01',
    'search=',
    'type=a%20b',
    'limit=0',
    'sort=age',
    'maxAmount=x',
  ])('refuse ?%s', async (query) => {
    expect((await get(`/entries?${query}`)).status).toBe(400);
  });
});

describe('the history of an entry', () => {
  it('has its exports, their requesters, what was sent, and what prevented the posting', async () => {
    expect((await get(`/entries/${TAXI}`)).json).toMatchObject({
      accountingEntryId: TAXI,
      supplier: 'Taxi Müller',
      exports: [
        { exportJobId: march, requestedBy: 'member Ada', state: 'successful', externalId: 'J-6420', certificate: null },
        { exportJobId: january, requestedBy: null, state: 'failed', failureType: 'account_unknown' },
      ],
      postings: [{ revision: 1, exportJobId: march, state: 'posted', externalId: 'erp-1', decisions: [] }],
      issues: [{ issueKey: 'account:6420', clearedByJobId: march }],
      discrepancies: [],
    });
  });

  it('has manual decisions', async () => {
    expect((await get(`/entries/${LUNCH}`)).json['postings']).toMatchObject([
      { state: 'uncertain', decisions: [{ outcome: 'not-in-the-books', note: 'looked', by: 'member Ada' }] },
    ]);
    expect((await get(`/entries/${TOOLS}`)).json['postings']).toMatchObject([
      { state: 'reversed', reversalSentAt: expect.any(String) },
    ]);
  });

  it('says what a comparison has found, and how that was settled', async () => {
    await connector.admin.query(
      `WITH run AS (
         INSERT INTO reconciliation_run (installation_id, id, company_id, kind, reason, period_from, period_until, state,
           requested_at, next_attempt_at, finished_at)
         VALUES ($1, gen_random_uuid(), $2, 'period', 'person', now(), now(), 'completed', now(), now(), now()) RETURNING id)
       INSERT INTO discrepancy (installation_id, id, company_id, class, subject, fingerprint, evidence, accounting_entry_id,
         export_job_id, occurred_at, state, settled_at, settled_by, settled_as, note, first_seen_at, last_seen_at, last_seen_run)
       SELECT $1, gen_random_uuid(), $2, 'amount-drift', $3::uuid::text, 'f', '{}', $3, export_job_id, now(), 'accepted', now(), 'member Ada',
         'accept', 'tip', now(), now(), run.id
       FROM run, export_item WHERE installation_id = $1 AND accounting_entry_id = $3`,
      [mine.id, mine.companyId, TOOLS],
    );
    expect((await get(`/entries/${TOOLS}`)).json['discrepancies']).toMatchObject([
      {
        message: { text: 'The amount differs.' },
        state: 'accepted',
        settledAs: 'accept',
        settledBy: 'member Ada',
        note: 'tip',
      },
    ]);
  });

  it('is not found for an entry without an export', async () => {
    expect((await get(`/entries/${randomUUID()}`)).status).toBe(404);
    expect((await get('/entries/nonsense')).status).toBe(404);
  });
});
