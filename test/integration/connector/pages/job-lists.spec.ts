import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ExportItem, WireMoney } from '../../../../src/connector/bookkeeping/item/export-item.js';
import { searchColumnsOf } from '../../../../src/connector/exports/domain/search/search-lines.js';
import { startConnectorApp, storeInstallation, type StoredInstallation } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { viewerOf } from './viewer.js';

// How people look for exports and for the items of one.

const connector = startedOnce(startConnectorApp);
let mine: StoredInstallation;
let get: (path: string) => Promise<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> }>;

interface Planted {
  readonly value: string;
  readonly state?: 'successful' | 'failed' | 'pending';
  readonly item?: object;
}

async function plantJob(detectedAt: string, currency: string, items: readonly Planted[], state = 'completed') {
  const id = randomUUID();
  await connector.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at) VALUES ($1, $2, $3, $4, $5, false, $6, $6, $6, $6)`,
    [mine.id, id, mine.companyId, state, items.length, detectedAt],
  );
  const entries = items.map((planted) => ({ id: randomUUID(), ...planted }));
  const kept = Object.fromEntries(entries.flatMap(({ id: entryId, item }) => (item ? [[entryId, item]] : [])));
  const storedIn = randomUUID();
  const { words } = searchColumnsOf(
    entries.flatMap(({ id: entryId, item, value, state: ended = 'successful' }, index) =>
      item === undefined || ended === 'pending'
        ? []
        : [
            [
              entryId,
              { item: itemOf(item, { value, currency }), state: ended, externalId: `J-${(index + 1).toString()}` },
            ],
          ],
    ),
  );
  await connector.admin.query(
    `INSERT INTO item_chunk (installation_id, export_job_id, id, items, words) VALUES ($1, $2, $3, $4, $5)`,
    [mine.id, id, storedIn, JSON.stringify(kept), words],
  );
  for (const [index, { id: entryId, value, state: ended = 'successful', item }] of entries.entries()) {
    await connector.admin.query(
      `INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, amount, item_chunk_id, external_id,
         failure_type, failure_reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
      [
        ...[mine.id, id, entryId, index + 1, ended],
        ended === 'pending' ? null : JSON.stringify({ currency, value }),
        item === undefined ? null : storedIn,
        ended === 'successful' ? `J-${(index + 1).toString()}` : null,
        ended === 'failed' ? 'account_unknown' : null,
      ],
    );
  }
  return { id, entryIds: entries.map(({ id: entryId }) => entryId) };
}

/** What a test says of an item, completed. */
function itemOf(item: object, inWalletCurrency: WireMoney): ExportItem {
  const whole = { date: '', accountingEntryLines: [], amount: { inWalletCurrency }, ...item } as unknown as ExportItem;
  const lines = whole.accountingEntryLines.map((line) => ({ ...line, lineAmount: whole.amount }));
  return { ...whole, accountingEntryLines: lines };
}

async function block(issueKey: string, jobId: string, entryId: string): Promise<void> {
  await connector.admin.query(
    `INSERT INTO issue (installation_id, issue_key, kind, reference, failure_type, reason, first_seen_at, last_seen_at)
     VALUES ($1, $2, 'account', '6420', 'account_unknown', 'unknown', now(), now()) ON CONFLICT DO NOTHING`,
    [mine.id, issueKey],
  );
  await connector.admin.query(
    `INSERT INTO failed_entry (installation_id, issue_key, accounting_entry_id, export_job_id, first_seen_at, last_seen_at)
     VALUES ($1, $2, $3, $4, now(), now())`,
    [mine.id, issueKey, entryId, jobId],
  );
}

const item = (date: string, supplier: string, account: readonly [code: string, name: string], more: object = {}) => ({
  type: 'card_purchase',
  date: `${date}T10:00:00Z`,
  vendor: { id: randomUUID(), name: supplier },
  accountingEntryLines: [{ account: { id: randomUUID(), code: account[0], name: account[1] } }],
  additionalInformation: { reconciliationId: 'r' },
  ...more,
});

beforeAll(async () => {
  mine = await storeInstallation(connector, 'Mine');
  get = await viewerOf(connector, mine);
});

describe('the list of jobs', () => {
  let euros: string;
  let yen: string;

  beforeAll(async () => {
    euros = (
      await plantJob('2026-03-02T10:00:00Z', 'EUR', [
        { value: '12500' },
        { value: '-500', state: 'failed' },
        { value: '0', state: 'pending' },
      ])
    ).id;
    yen = (await plantJob('2026-03-05T10:00:00Z', 'JPY', [{ value: '150000' }], 'failed')).id;
    await connector.admin.query(
      `INSERT INTO reexport (installation_id, id, company_id, entry_ids, vendor_based_bookkeeping, state, export_job_id, requested_by,
         created_at, next_try_at) VALUES ($1, $2, $3, ARRAY[$2::uuid], false, 'created', $4, 'member Ada', now(), now())`,
      [mine.id, randomUUID(), mine.companyId, yen],
    );
  });

  it('has the sums of items with a result, by currency, and the requester', async () => {
    const { json } = await get('/jobs');
    expect(json['data']).toMatchObject([
      { id: yen, requestedBy: 'member Ada', amounts: [{ amountMinor: '1500', currency: 'JPY', exponent: 0 }] },
      {
        id: euros,
        requestedBy: null,
        successful: 1,
        failed: 1,
        amounts: [{ amountMinor: '12000', currency: 'EUR', exponent: 2 }],
      },
    ]);
  });

  it.each([
    ['12345', '12345'],
    ['-5', '-5'],
    ['12.50', '12.50'],
    ['9'.repeat(30), '9'.repeat(30)],
    ['9'.repeat(31), '0'],
    ['1-2', '0'],
    ['', '0'],
    ['1e3', '0'],
    ['NaN', '0'],
  ])('adds an amount that the platform writes as %p to its job as %p hundredths', async (value, hundredths) => {
    const { rows } = await connector.admin.query(
      `SELECT hundredths_of(jsonb_build_object('currency', 'EUR', 'value', $1::text))::text AS hundredths`,
      [value],
    );
    expect(rows).toEqual([{ hundredths }]);
  });

  it('has the exact sum where one amount was stated with a part of a yen', async () => {
    const card = (day: string) => item(day, 'Odd Tea', ['6540', 'Software']);
    const { id } = await plantJob('2026-01-04T10:00:00Z', 'JPY', [
      { value: '25000000', item: card('2026-01-02') },
      { value: '12345', state: 'failed', item: card('2026-01-03') },
    ]);
    const money = (amountMinor: string) => [{ amountMinor, currency: 'JPY', exponent: 2 }];
    expect((await get(`/jobs/${id}`)).json['amounts']).toEqual(money('25012345'));
    const { json } = await get(`/jobs/${id}/items?state=failed`);
    expect(json).toMatchObject({ amounts: money('12345'), data: [{ amount: money('12345')[0] }] });
    const found = await get('/entries/totals?search=odd%20tea');
    expect(found.json).toMatchObject({ total: 2, amounts: money('25012345') });
    await connector.admin.query(`DELETE FROM export_item WHERE export_job_id = $1`, [id]);
  });

  it('includes the amount of an item that gets its result late', async () => {
    const { id, entryIds } = await plantJob('2026-01-05T10:00:00Z', 'SEK', [
      { value: '700' },
      { value: '-250', state: 'pending' },
    ]);
    const amountsOf = async () => (await get(`/jobs/${id}`)).json['amounts'];
    expect(await amountsOf()).toEqual([{ amountMinor: '700', currency: 'SEK', exponent: 2 }]);
    await connector.admin.query(
      `UPDATE export_item SET state = 'successful', external_id = 'J-2', amount = '{"currency": "SEK", "value": "-250"}'
       WHERE accounting_entry_id = $1`,
      [entryIds[1]],
    );
    expect(await amountsOf()).toEqual([{ amountMinor: '450', currency: 'SEK', exponent: 2 }]);
    await connector.admin.query(`DELETE FROM export_item WHERE export_job_id = $1`, [id]);
  });

  it.each([
    ['state=failed', ['yen']],
    ['from=2026-03-05T10:00:00Z', ['yen']],
    ['to=2026-03-05T10:00:00Z', ['euros']],
    ['from=2026-03-02T10:00:00Z&to=2026-03-06T00:00:00Z', ['yen', 'euros']],
    ['requestedBy=member%20Ada', ['yen']],
    ['requestedBy=platform', ['euros']],
    ['requestedBy=nobody', []],
  ])('is filtered by %s', async (query, expected) => {
    const { json } = await get(`/jobs?${query}`);
    const names = new Map([
      [yen, 'yen'],
      [euros, 'euros'],
    ]);
    expect((json['data'] as readonly { id: string }[]).map(({ id }) => names.get(id))).toEqual(expected);
  });

  it.each(['state=lost', 'from=2026-03-05', 'to=yesterday', 'requestedBy='.padEnd(220, 'x')])(
    'refuses ?%s',
    async (query) => {
      expect((await get(`/jobs?${query}`)).status).toBe(400);
    },
  );
});

describe('the items of a job', () => {
  let jobId: string;
  let entryIds: readonly string[];

  beforeAll(async () => {
    ({ id: jobId, entryIds } = await plantJob('2026-03-01T10:00:00Z', 'EUR', [
      { value: '300', item: item('2026-02-11', 'Beta', ['6540', 'Software']) },
      {
        value: '200',
        state: 'failed',
        item: item('2026-02-13', 'alpha', ['6420', 'Tools'], { user: { id: randomUUID(), code: 'E-17' } }),
      },
      {
        value: '1000',
        item: item('2026-02-12', 'Gamma', ['6540', 'Software'], {
          type: 'invoice',
          additionalInformation: { reconciliationId: 'r', invoiceInformation: { invoiceNumber: 'R-2026/9' } },
        }),
      },
      { value: '0', state: 'pending' },
    ]));
    await block('account:6420', jobId, entryIds[1] ?? '');
  });

  const positions = (json: Readonly<Record<string, unknown>>) =>
    (json['data'] as readonly { position: number }[]).map(({ position }) => position);

  it.each(['position', '-amount', 'supplier'])(
    'go on by %s after an item that does not match the filter any more',
    async (sort) => {
      const { id, entryIds: ofJob } = await plantJob(
        '2026-02-01T10:00:00Z',
        'EUR',
        [300, 200, 100].map((value) => ({
          value: value.toString(),
          state: 'failed' as const,
          item: item('2026-01-11', `Supplier ${(400 - value).toString()}`, ['6420', 'Tools']),
        })),
      );
      const issue = `account:${sort}`;
      for (const entryId of ofJob) await block(issue, id, entryId);
      const first = (await get(`/jobs/${id}/items?issue=${issue}&sort=${sort}&limit=1`)).json;
      expect(positions(first)).toEqual([1]);
      await connector.admin.query(
        'UPDATE failed_entry SET cleared_at = now(), cleared_by_job_id = export_job_id WHERE accounting_entry_id = $1',
        [ofJob[0]],
      );
      const next = await get(`/jobs/${id}/items?issue=${issue}&sort=${sort}&after=${String(first['nextCursor'])}`);
      expect(positions(next.json)).toEqual([2, 3]);
    },
  );

  it('come with their job in one response, with names beside codes', async () => {
    const { json } = await get(`/jobs/${jobId}/items`);
    expect(json).toMatchObject({ job: { id: jobId, successful: 2, failed: 1 }, total: 4, nextCursor: null });
    expect((json['data'] as readonly object[])[1]).toMatchObject({
      position: 2,
      accountingEntryId: entryIds[1],
      date: '2026-02-13',
      type: 'card_purchase',
      supplier: 'alpha',
      person: 'E-17',
      amount: { amountMinor: '200', currency: 'EUR', exponent: 2 },
      accounts: [{ code: '6420', name: 'Tools' }],
      issueKeys: ['account:6420'],
      state: 'failed',
    });
    expect((json['data'] as readonly object[])[3]).toMatchObject({
      date: null,
      amount: null,
      accounts: [],
      issueKeys: [],
    });
  });

  it.each([
    ['state=failed', [2]],
    ['issue=account:6420', [2]],
    ['issue=account:9999', []],
    ['type=invoice', [3]],
    ['account=6540', [1, 3]],
    ['search=SOFTWARE', [1, 3]],
    ['search=r-2026', [3]],
    ['search=e-17', [2]],
    ['search=J-3', [3]],
    ['search=software&state=failed', []],
    ['supplier=ALPH', [2]],
    ['person=17', [2]],
    ['from=2026-02-12', [2, 3]],
    ['from=2026-02-12&to=2026-02-12', [3]],
    ['minAmount=3', [1, 3]],
    ['minAmount=2.5&maxAmount=3,00', [1]],
    ['maxAmount=10', [1, 2, 3]],
    ['sort=amount', [4, 2, 1, 3]],
    ['sort=-amount', [3, 1, 2, 4]],
    ['sort=date', [4, 1, 3, 2]],
    ['sort=supplier', [4, 2, 1, 3]],
    ['sort=-account', [3, 1, 2, 4]],
    ['sort=-position', [4, 3, 2, 1]],
  ])('with ?%s are those at %j', async (query, expected) => {
    const { json } = await get(`/jobs/${jobId}/items?${query}`);
    expect([positions(json), json['total']]).toEqual([expected, expected.length]);
  });

  it.each([
    ['', '1500'],
    ['account=6540', '1300'],
    ['state=failed', '200'],
    ['minAmount=3', '1300'],
  ])('with ?%s add up to %s, on every page', async (query, amountMinor) => {
    const { json } = await get(`/jobs/${jobId}/items?limit=1&${query}`);
    expect(json['amounts']).toEqual([{ amountMinor, currency: 'EUR', exponent: 2 }]);
  });

  it.each(['sort=position', 'sort=-amount', 'sort=account'])('are paged in any order: %s', async (query) => {
    const whole = positions((await get(`/jobs/${jobId}/items?${query}`)).json);
    const seen: number[] = [];
    for (let after = ''; ;) {
      const { json } = await get(`/jobs/${jobId}/items?${query}&limit=1${after}`);
      seen.push(...positions(json));
      expect(json['total']).toBe(4);
      const { nextCursor } = json;
      if (typeof nextCursor !== 'string') break;
      after = `&after=${nextCursor}`;
    }
    expect(seen).toEqual(whole);
  });

  it.each([
    'sort=colour',
    'state=lost',
    'type=a%20b',
    'search=',
    'person=',
    'from=2026-1-1',
    'minAmount=-5',
    `search=${'x'.repeat(101)}`,
  ])('refuse ?%s', async (query) => {
    expect((await get(`/jobs/${jobId}/items?${query}`)).status).toBe(400);
  });
});
