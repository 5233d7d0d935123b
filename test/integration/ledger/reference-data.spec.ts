import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { cursorSuffix } from '../../../src/foundation/http/bound-cursors.interceptor.js';
import { API_KEY, createCompany, startLedger, type WirePage } from './ledger-harness.js';
import { startedOnce } from '../../support/started-once.js';

const ledger = startedOnce(startLedger);
let company: string;

beforeEach(async () => {
  company = await createCompany(ledger);
});

interface WireRow {
  readonly code?: string;
  readonly dimensionCode?: string;
  readonly active?: boolean;
}

const get = (path: string) => ledger.call<WirePage<WireRow>>('GET', `/companies/${company}${path}`);
const put = (path: string, body: unknown) => ledger.call('PUT', `/companies/${company}${path}`, body);

describe('the API key', () => {
  const statusWith = async (url: string, authorization?: string) =>
    (
      await ledger.app.inject({
        method: 'GET',
        url,
        ...(authorization === undefined ? {} : { headers: { authorization } }),
      })
    ).statusCode;

  it.each([
    ['none', undefined],
    ['a wrong one', 'Bearer wrong'],
    ['another scheme', `Basic ${API_KEY}`],
    ['two words', `Bearer ${API_KEY} x`],
  ])('%s is refused', async (_, header) => {
    expect(await statusWith('/companies', header)).toBe(401);
    expect(await statusWith(`/companies/${randomUUID()}/accounts`, header)).toBe(401);
  });

  it('that is right is accepted, with its scheme in any case', async () => {
    expect(await statusWith('/companies', `bearer ${API_KEY}`)).toBe(200);
  });

  it.each(['/health', '/openapi.json', '/docs'])('%s needs none', async (url) => {
    expect(await statusWith(url)).toBe(200);
  });
});

describe('master data', () => {
  const account = { code: '1', name: 'x', type: 'asset' };
  it.each([
    ['accounts', 'a list in place of a row', [[]]],
    ['accounts', 'rows and a list', [account, []]],
    ['tax-codes', 'a list in place of a row', [[]]],
    ['dimensions', 'a list in place of a row', [[[]]]],
    ['dimension-values', 'a list in place of a row', [[]]],
    ['vendors', 'a list in place of a row', [[]]],
    ['periods', 'a list in place of a row', [[]]],
    ['exchange-rates', 'a list in place of a row', [[]]],
    ['accounts', 'half a pair of surrogates', [{ ...account, name: 'a\ud800' }]],
    ['dimensions', 'half a pair of surrogates', [{ code: '\udc00', name: 'x' }]],
    ['vendors', 'half a pair of surrogates', [{ number: '1', name: '\ud800\ud800' }]],
  ])('%s with %s are refused', async (path, _, data) => {
    const before = (await get(`/${path}`)).body.data;
    const answer = await put(`/${path}`, { data });
    expect(answer).toMatchObject({ status: 400, body: { type: 'urn:problem:invalid-request' } });
    expect((await get(`/${path}`)).body.data).toEqual(before);
  });

  it('keep characters of two surrogates', async () => {
    expect((await put('/accounts', { data: [{ ...account, name: 'Pizza 🍕' }] })).status).toBe(204);
  });
});

describe('companies', () => {
  it('are written by id and read one by one', async () => {
    const id = randomUUID();
    const data = {
      name: 'Nordlys AB',
      registrationNumber: '556000-0001',
      functionalCurrency: 'SEK',
      timeZone: 'Europe/Stockholm',
      country: 'SE',
    };
    await ledger.call('PUT', `/companies/${id}`, { ...data, name: 'Old name' });
    const written = await ledger.call('PUT', `/companies/${id}`, data);
    const stored = {
      id,
      ...data,
      idempotency: 'forever',
      idempotencySeconds: null,
      searchLagSeconds: 0,
      revisions: {},
    };
    expect(written).toEqual({ status: 200, body: stored });
    expect((await ledger.call('GET', `/companies/${id}`)).body).toEqual(stored);
  });

  it('may have a search lag when their keys are references only', async () => {
    const weak = { name: 'x', functionalCurrency: 'EUR', timeZone: 'UTC', idempotency: 'reference-only' };
    expect(await put('', { ...weak, searchLagSeconds: 3_600 })).toMatchObject({
      status: 200,
      body: { searchLagSeconds: 3_600 },
    });
    expect(await put('', weak)).toMatchObject({ status: 200, body: { searchLagSeconds: 0 } });
  });

  it('keep their functional currency', async () => {
    const answer = await put('', { name: 'x', functionalCurrency: 'DKK', timeZone: 'Europe/Copenhagen' });
    expect(answer).toMatchObject({ status: 409, body: { type: 'urn:problem:functional-currency-fixed' } });
  });

  it.each([
    ['/name', { functionalCurrency: 'EUR', timeZone: 'UTC' }],
    ['/functionalCurrency', { name: 'x', functionalCurrency: 'XXX', timeZone: 'UTC' }],
    ['/timeZone', { name: 'x', functionalCurrency: 'EUR', timeZone: 'Mars/Olympus' }],
    ['/idempotencySeconds', { name: 'x', functionalCurrency: 'EUR', timeZone: 'UTC', idempotency: 'short' }],
    ['/searchLagSeconds', { name: 'x', functionalCurrency: 'EUR', timeZone: 'UTC', searchLagSeconds: 1 }],
    ...[-1, 3_601, 1.5, '1'].map((searchLagSeconds): [string, object] => [
      '/searchLagSeconds',
      {
        name: 'x',
        functionalCurrency: 'EUR',
        timeZone: 'UTC',
        idempotency: 'reference-only',
        searchLagSeconds,
      },
    ]),
    ['/color', { name: 'x', functionalCurrency: 'EUR', timeZone: 'UTC', color: 'red' }],
    ['/name', { name: 'a\u0000b', functionalCurrency: 'EUR', timeZone: 'UTC' }],
  ])('are refused for a wrong %s', async (pointer, body) => {
    const answer = await ledger.call<{ readonly errors?: readonly unknown[] }>(
      'PUT',
      `/companies/${randomUUID()}`,
      body,
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }));
  });

  it.each([randomUUID(), 'no-uuid', '%00'])('that are unknown are a 404: %s', async (id) => {
    const answer = await ledger.call('GET', `/companies/${id}/accounts`);
    expect(answer).toMatchObject({ status: 404, body: { type: 'urn:problem:company-not-found' } });
  });
});

describe('lists', () => {
  const codes = Array.from({ length: 5 }, (_, index) => `Z${index.toString()}`);

  it('are read page by page to the end', async () => {
    company = randomUUID();
    await put('', { name: 'Empty', functionalCurrency: 'EUR', timeZone: 'UTC' });
    await put('/accounts', { data: codes.map((code) => ({ code, name: code, type: 'asset' })) });

    const pages: unknown[][] = [];
    let after = '';
    do {
      const { body } = await get(`/accounts?limit=2${after}`);
      pages.push(body.data.map((account) => account.code));
      after = body.nextCursor === null ? '' : `&after=${body.nextCursor}`;
    } while (after !== '');
    expect(pages).toEqual([['Z0', 'Z1'], ['Z2', 'Z3'], ['Z4']]);
  });

  it.each(['accounts', 'dimension-values', 'exchange-rates', 'journal-entries', 'periods'])(
    'refuse an invalid cursor: %s',
    async (list) => {
      const cursors = [
        'nonsense',
        ...['[]', '["\\u0000"]', '[1]'].map((text) => Buffer.from(text).toString('base64url')),
      ];
      const suffix = cursorSuffix(undefined, `/companies/${company}/${list}`, {});
      for (const cursor of [...cursors, ...cursors.map((each) => each + suffix), suffix]) {
        expect(await get(`/${list}?after=${cursor}`)).toMatchObject({
          status: 400,
          body: { type: 'urn:problem:invalid-cursor' },
        });
      }
    },
  );

  it.each(['limit=0', 'limit=1001', 'limit=x', 'color=red', 'after='])('refuse %s', async (query) => {
    expect((await get(`/accounts?${query}`)).status).toBe(400);
  });
});

describe('all lists of a company', () => {
  const read = (path: string) => ledger.call<Record<string, unknown>>('GET', `/companies/${company}${path}`);
  const LISTS = {
    accounts: 'accounts',
    taxCodes: 'tax-codes',
    dimensions: 'dimensions',
    dimensionValues: 'dimension-values',
    vendors: 'vendors',
    periods: 'periods',
  };

  it('are read by one request, each as by its own', async () => {
    const { status, body } = await read('/master-data');
    expect(status).toBe(200);
    expect(body['company']).toEqual((await read('')).body);
    for (const [name, path] of Object.entries(LISTS)) {
      const { data } = (await get(`/${path}`)).body;
      expect(data.length).toBeGreaterThan(0);
      expect(body[name]).toEqual(data);
    }
  });

  it('lack one of more than 1,000 rows, which is read page by page', async () => {
    const accounts = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => ({
        code: `Z${(from + index).toString().padStart(4, '0')}`,
        name: 'Account',
        type: 'asset',
      }));
    company = randomUUID();
    await put('', { name: 'Long lists', functionalCurrency: 'EUR', timeZone: 'UTC' });
    await put('/accounts', { data: accounts(0, 1_000) });
    expect((await read('/master-data')).body['accounts']).toHaveLength(1_000);
    await put('/accounts', { data: accounts(1_000, 1_001) });
    expect((await read('/master-data')).body).toMatchObject({ accounts: null, vendors: [] });
  });

  it('of an unknown company are a 404', async () => {
    company = randomUUID();
    expect(await read('/master-data')).toMatchObject({ status: 404, body: { type: 'urn:problem:company-not-found' } });
  });
});

describe('reference data', () => {
  it('accounts are replaced by code, which is also their id', async () => {
    await put('/accounts', {
      data: [{ code: '6071', name: 'Representation', type: 'expense', active: false }],
    });
    const { body } = await get('/accounts');
    expect(body.data).toHaveLength(9);
    expect(body.data).toContainEqual({
      code: '6071',
      externalId: '6071',
      name: 'Representation',
      type: 'expense',
      active: false,
    });
  });

  it('tax codes keep the digits of their numbers', async () => {
    await put('/tax-codes', {
      data: [
        {
          code: 'R',
          externalId: 'tc-9',
          name: 'Odd',
          rate: '0.070000000000001',
          deductible: '0.5',
          outputAccountCode: '2614',
        },
      ],
    });
    expect((await get('/tax-codes')).body.data).toContainEqual({
      code: 'R',
      externalId: 'tc-9',
      name: 'Odd',
      rate: '0.070000000000001',
      inputAccountCode: null,
      outputAccountCode: '2614',
      deductible: '0.5',
      active: true,
    });
  });

  it.each([
    ['/tax-codes', { code: 'X', name: 'X', rate: '0', inputAccountCode: '4711' }, 'tax_code_input_account_code_fk'],
    ['/tax-codes', { code: 'X', name: 'X', rate: '0', deductible: '1.1' }, 'tax_code_deductible_ck'],
    ['/dimension-values', { dimensionCode: 'ZZ', code: '1', name: '1' }, 'dimension_value_dimension_code_fk'],
    ['/vendors', { number: 'V-1', name: 'X', payableAccountCode: '4711' }, 'vendor_payable_account_code_fk'],
    ['/exchange-rates', { from: 'EUR', to: 'EUR', date: '2026-01-01', rate: '1' }, 'exchange_rate_currencies_ck'],
    ['/exchange-rates', { from: 'USD', to: 'EUR', date: '2026-01-01', rate: '0' }, 'exchange_rate_rate_ck'],
    ['/periods', { fiscalYear: 2027, from: '2026-12-31', to: '2027-01-31', state: 'open' }, 'fiscal_period_overlap_ck'],
    ['/accounts', { code: '1', externalId: '6071', name: 'X', type: 'asset' }, 'account_company_id_external_id_uq'],
  ])('%s: an invalid value is a 422 that names the rule', async (path, row, rule) => {
    expect(await put(path, { data: [row] })).toMatchObject({ status: 422, body: { rule } });
  });

  it('a repeated row is refused', async () => {
    const row = { code: 'D', name: 'D' };
    expect((await put('/dimensions', { data: [row, row] })).status).toBe(400);
  });

  it('dimension values are read by both codes', async () => {
    await put('/dimensions', { data: [{ code: 'A', name: 'Area' }] });
    await put('/dimension-values', { data: [{ dimensionCode: 'A', code: '9', name: 'Nine' }] });
    const first = (await get('/dimension-values?limit=2')).body;
    const second = (await get(`/dimension-values?after=${String(first.nextCursor)}`)).body;
    const names = [...first.data, ...second.data].map((value) => [value.dimensionCode, value.code, value.active]);
    expect(names).toEqual([
      ['A', '9', true],
      ['CC', '100', true],
      ['CC', '900', false],
    ]);
  });

  it('rates are found by currencies and days, with all digits', async () => {
    const rates = [
      { from: 'USD', to: 'EUR', date: '2026-03-03', rate: '0.912345678901234' },
      { from: 'USD', to: 'SEK', date: '2026-03-03', rate: '10.5' },
      { from: 'SEK', to: 'EUR', date: '2026-03-03', rate: '0.09' },
    ];
    await put('/exchange-rates', { data: rates });
    const { body } = await get('/exchange-rates?from=USD&to=EUR&since=2026-03-03&until=2026-03-03');
    expect(body).toEqual({ data: [rates[0]], nextCursor: null });
  });

  it('a period is closed and opened by its first day', async () => {
    expect((await put('/periods/2026-02-01/state', { state: 'closed' })).status).toBe(204);
    expect((await get('/periods')).body.data[1]).toMatchObject({ from: '2026-02-01', state: 'closed' });
    expect((await put('/periods/2026-02-02/state', { state: 'open' })).status).toBe(404);
  });
});

describe('creating a vendor', () => {
  interface Created {
    readonly outcome?: string;
    readonly vendor?: { readonly number?: string };
  }
  const create = (body: object) => ledger.call<Created>('POST', `/companies/${company}/vendors`, body);

  it('assigns a number, once per key', async () => {
    const first = await create({ key: 'k1', name: 'Bolt OÜ', country: 'EE' });
    expect(first).toMatchObject({
      status: 200,
      body: { outcome: 'created', vendor: { number: 'V-00001', name: 'Bolt OÜ', blocked: false } },
    });
    const again = await create({ key: 'k1', name: 'Bolt OÜ', country: 'EE' });
    expect(again.body).toEqual({ outcome: 'existed', vendor: first.body.vendor });
    expect((await create({ key: 'k2', name: 'Other' })).body.vendor?.number).toBe('V-00002');
  });

  it('skips numbers in use and accepts a given one', async () => {
    expect((await create({ key: 'a', name: 'A', number: 'V-00001' })).body.vendor?.number).toBe('V-00001');
    expect((await create({ key: 'b', name: 'B' })).body.vendor?.number).toBe('V-00002');
    expect(await create({ key: 'c', name: 'C', number: 'V-00001' })).toMatchObject({
      status: 422,
      body: { rule: 'vendor_company_id_number_pk' },
    });
  });

  it('creates one vendor for ten equal requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ key: 'same', name: 'One' })));
    expect(new Set(answers.map((answer) => answer.body.vendor?.number))).toEqual(new Set(['V-00001']));
    expect(answers.filter((answer) => answer.body.outcome === 'created')).toHaveLength(1);
  });

  it('requires a key', async () => {
    expect(await create({ name: 'A' })).toMatchObject({
      status: 400,
      body: { type: 'urn:problem:key-missing' },
    });
  });
});
