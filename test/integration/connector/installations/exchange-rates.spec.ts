import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import type { CurrencyCode } from '../../../../src/kernel/currency.js';
import { toErpCompanyId, toInstallationId, type InstallationId } from '../../../../src/kernel/ids.js';
import type { LocalDate } from '../../../../src/kernel/local-date.js';
import { API_KEY, startTinyBooks, type TinyBooks } from '../../../support/tiny-books/tiny-books-server.js';
import { at, companyUrn, ConnectHarness } from './connect-harness.js';

// The rates of an accounting system that has none: an administrator uploads them.

let harness: ConnectHarness;
let books: TinyBooks;
let id: InstallationId;

beforeAll(async () => {
  books = await startTinyBooks();
  harness = await ConnectHarness.start({ CONNECTOR_ERP_ADAPTERS: './test/support/tiny-books/tiny-books.erp.ts' });
});
afterAll(async () => {
  await harness.close();
  await books.stop();
});
beforeEach(async () => {
  harness.platform.restore();
  id = await customer();
});

const customer = async () => {
  const installationId = toInstallationId(await harness.connect(companyUrn(harness.platform.addCompany().id)));
  const settings = { url: books.url, apiKey: API_KEY };
  expect((await call('PUT', 'erp-connection', { kind: 'tiny-books', settings }, installationId)).status).toBe(200);
  return installationId;
};
const call = async (
  method: 'GET' | 'PUT',
  path: string,
  body?: object,
  of = id,
  headers: Readonly<Record<string, string>> = {},
) => harness.call(method, `/api/v1/${path}`, { token: await harness.token(of), headers, ...(body && { body }) });
const uploadFor = (ifMatch: string, csv: string) => call('PUT', 'exchange-rates', { csv }, id, { 'if-match': ifMatch });
/** In the place of what is there now. */
const upload = async (csv: string) => {
  const { status, headers } = await call('GET', 'exchange-rates');
  return uploadFor(status === 404 ? '"0"' : String(headers['etag']), csv);
};
const ratesOf = async (installationId: InstallationId) => {
  const erp = await harness.get(ErpConnections).open(installationId, toErpCompanyId('tiny'));
  const days = { from: '2026-03-01' as LocalDate, to: '2026-03-08' as LocalDate };
  return erp.findRates({ currencies: ['USD' as CurrencyCode], ...days });
};

const FILE = `date,from,to,rate
2026-02-28,USD,EUR,0.9
2026-03-02,USD,EUR,0.9123
2026-03-02,GBP,EUR,1.15
2026-03-09,USD,EUR,0.93
`;

it('are those that were uploaded for this company, by currency and day', async () => {
  expect((await call('GET', 'exchange-rates')).status).toBe(404);
  expect(await ratesOf(id)).toEqual([]);
  const kept = await upload(FILE);
  expect(kept.json).toMatchObject({ inUse: true, numberOfRates: 4, from: '2026-02-28', to: '2026-03-09', csv: FILE });
  expect(await ratesOf(id)).toEqual([{ date: '2026-03-02', from: 'USD', to: 'EUR', rate: '0.9123' }]);
  expect(await ratesOf(await customer())).toEqual([]);
});

it('replace all earlier ones, and a wrong file changes nothing', async () => {
  await upload(FILE);
  const wrong = await upload(`${FILE}2026-03-10,USD,EUR,nothing\n`);
  expect([wrong.status, at(wrong.json, 'type'), JSON.stringify(wrong.json)]).toEqual([
    422,
    'urn:problem:invalid-rates',
    expect.stringContaining('Line 6: \\"nothing\\" is no rate: write how much of EUR a unit of USD is worth'),
  ]);
  expect(await ratesOf(id)).toHaveLength(1);
  expect((await upload('date,from,to,rate\n')).json).toMatchObject({ numberOfRates: 0, from: null, to: null });
  expect(await ratesOf(id)).toEqual([]);
});

it('are not replaced by an upload that names no version, or not the newest one', async () => {
  const without = await call('PUT', 'exchange-rates', { csv: FILE });
  expect([without.status, at(without.json, 'type')]).toEqual([428, 'urn:problem:precondition-required']);
  const first = await uploadFor('"0"', FILE);
  expect([first.status, first.headers['etag'], at(first.json, 'version')]).toEqual([200, '"1"', 1]);
  expect((await call('GET', 'exchange-rates')).headers['etag']).toBe('"1"');
  // Two administrators who have seen the same rates: the second one is refused.
  const both = await Promise.all([uploadFor('"1"', 'date,from,to,rate\n'), uploadFor('"1"', FILE)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  for (const stale of ['"0"', '"1"', '"3"', '2']) {
    const refused = await uploadFor(stale, FILE);
    expect([stale, refused.status, at(refused.json, 'type')]).toEqual([stale, 412, 'urn:problem:version-changed']);
  }
  expect((await uploadFor('"2"', FILE)).headers['etag']).toBe('"3"');
  // Nothing has been uploaded for another company yet.
  id = await customer();
  expect((await uploadFor('"3"', FILE)).status).toBe(412);
});

it('are accepted up to the longest file', async () => {
  const day = (index: number) => new Date(index * 86_400_000).toISOString().slice(0, 10);
  const rows = Array.from({ length: 20_000 }, (_, index) => `${day(index)},USD,EUR,0.${(100_000 + index).toString()}`);
  expect((await upload(['date,from,to,rate', ...rows].join('\n'))).json).toMatchObject({ numberOfRates: 20_000 });
});
