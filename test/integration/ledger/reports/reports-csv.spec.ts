import { beforeAll, describe, expect, it } from '@jest/globals';
import { startLedger, type WireEntry, type WirePage } from '../ledger-harness.js';
import { createBooks } from './reports-books.js';
import { startedOnce } from '../../../support/started-once.js';

const ledger = startedOnce(startLedger);
let company: string;

beforeAll(async () => {
  company = await createBooks(ledger);
});

const read = (path: string, headers?: Readonly<Record<string, string>>) =>
  ledger.read(`/companies/${company}${path}`, headers);

const rowsOf = (text: string) => text.split('\r\n');

it('the trial balance has amounts in minor and in main units, with the digits of each currency', async () => {
  const { text } = await read('/trial-balance?date=2026-03-05&format=csv');
  expect(rowsOf(text)).toEqual([
    'accountCode,accountName,accountType,currency,debitMinor,debit,creditMinor,credit,balanceMinor,balance,' +
      'functionalCurrency,baseDebitMinor,baseDebit,baseCreditMinor,baseCredit,baseBalanceMinor,baseBalance',
    '1935,"Wallet EUR",asset,EUR,0,0.00,12500,125.00,-12500,-125.00,EUR,0,0.00,12500,125.00,-12500,-125.00',
    '1936,"Wallet USD",asset,USD,0,0.00,3003,30.03,-3003,-30.03,EUR,0,0.00,2740,27.40,-2740,-27.40',
    '1937,"Wallet JPY",asset,JPY,0,0,1500,1500,-1500,-1500,EUR,0,0.00,915,9.15,-915,-9.15',
    '2440,"Accounts payable",liability,EUR,0,0.00,62500,625.00,-62500,-625.00,EUR,0,0.00,62500,625.00,-62500,-625.00',
    '2641,"Input tax",asset,EUR,2500,25.00,0,0.00,2500,25.00,EUR,2500,25.00,0,0.00,2500,25.00',
    '3960,"FX rounding",income,USD,0,0.00,0,0.00,0,0.00,EUR,1,0.01,0,0.00,1,0.01',
    '5410,Consumables,expense,EUR,62500,625.00,0,0.00,62500,625.00,EUR,62500,625.00,0,0.00,62500,625.00',
    '5410,Consumables,expense,JPY,1500,1500,0,0,1500,1500,EUR,915,9.15,0,0.00,915,9.15',
    '5410,Consumables,expense,USD,3003,30.03,0,0.00,3003,30.03,EUR,2739,27.39,0,0.00,2739,27.39',
    '6071,Meals,expense,EUR,10000,100.00,0,0.00,10000,100.00,EUR,10000,100.00,0,0.00,10000,100.00',
    '',
  ]);
});

it.each([
  ['/trial-balance?date=2026-03-05', 'trial-balance-2026-03-05.csv'],
  ['/accounts/1935/ledger', 'account-ledger-1935.csv'],
  ['/open-items?date=2026-05-31', 'open-items-2026-05-31.csv'],
  ['/ap-ageing?date=2026-05-31', 'ap-ageing-2026-05-31.csv'],
  ['/dimension-balances?dimension=CC', 'dimension-balances-CC.csv'],
  ['/audit-chain', 'audit-chain.csv'],
  ['/journal-entries', 'journal-entries.csv'],
])('%s is available as a file', async (path, fileName) => {
  const asked = await read(path, { accept: 'text/csv' });
  expect(asked.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${fileName}"`,
    vary: 'Accept',
  });
  const cells = rowsOf(asked.text)[0]?.split(',') ?? [];
  expect(new Set(cells).size).toBe(cells.length);
  expect(rowsOf(asked.text).length).toBeGreaterThan(2);

  const named = await read(`${path}${path.includes('?') ? '&' : '?'}format=csv`, {
    accept: 'application/json',
  });
  expect(named.text).toBe(asked.text);

  const json = await read(path);
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(json.headers['content-disposition']).toBeUndefined();
});

it('a single entry is a file of its lines', async () => {
  const { body } = await ledger.call<WirePage<WireEntry>>('GET', `/companies/${company}/journal-entries?keyPrefix=yen`);
  const { text, headers } = await read(`/journal-entries/${body.data[0]?.id ?? ''}`, { accept: 'text/csv' });
  expect(headers['content-disposition']).toBe('attachment; filename="journal-entry-2026-000003.csv"');
  expect(rowsOf(text)[1]).toMatch(
    /^2026-000003,posted,entry,2026-03-05,,,,"Café Olé",,yen,1,1,5410,,,,CC=100,JPY,1500,1500,EUR,915,9\.15,/,
  );
  expect(rowsOf(text)).toHaveLength(4);
});

it('names are never formulas', async () => {
  const { text } = await read('/ap-ageing?date=2026-04-01&format=csv');
  expect(text).toContain(`\r\nV-9,"'=Möbel, ""Hus""",EUR,EUR,`);
});

it('a page has the link of the next one', async () => {
  const pages: string[] = [];
  let next: string | undefined = `/companies/${company}/open-items?date=2026-04-01&limit=1&format=csv`;
  while (next !== undefined) {
    const { text, headers } = await ledger.read(next);
    pages.push(rowsOf(text)[1]?.split(',')[0] ?? '');
    next = /^<(.+)>; rel="next"$/.exec(String(headers['link']))?.[1];
  }
  expect(pages).toEqual(['V-7', 'V-9']);
});

it.each(['/trial-balance?format=xml', '/audit-chain?format=', '/open-items?format=csv&format=csv'])(
  '%s is a problem, not a file',
  async (path) => {
    const { status, headers, text } = await read(path);
    expect(status).toBe(400);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(text)).toMatchObject({ errors: [{ pointer: '/format' }] });
  },
);

it('a problem stays a problem document when a file was requested', async () => {
  const { status, headers } = await read('/accounts/4711/ledger?format=csv');
  expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
});

describe('the documentation', () => {
  it.each([
    'trial-balance',
    'accounts/{accountCode}/ledger',
    'open-items',
    'ap-ageing',
    'dimension-balances',
    'vat-report',
    'vat-report/lines',
    'audit-chain',
    'journal-entries',
    'journal-entries/{entryId}',
  ])('of %s shows both formats and its parameter', async (path) => {
    const { text } = await ledger.read('/openapi.json');
    const document = JSON.parse(text) as {
      readonly paths: Readonly<Record<string, { readonly get?: unknown }>>;
    };
    expect(document.paths[`/companies/{companyId}/${path}`]?.get).toMatchObject({
      responses: { 200: { content: { 'application/json': {}, 'text/csv': {} } } },
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'format', in: 'query' })]),
    });
  });
});
