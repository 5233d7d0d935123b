import { beforeAll, describe, expect, it } from '@jest/globals';
import { startedOnce } from '../../support/started-once.js';
import { API_KEY, entry, group, line, startLedger, type WirePage } from './ledger-harness.js';
import { createBooks } from './reports/reports-books.js';

// A cursor leads on in the list that issued it, and nowhere else; lists are read from the OpenAPI document, so that a new one
// is tried by itself.

const ledger = startedOnce(startLedger);
/** What a list needs to show anything, and a filter that makes another list of it. */
const NEEDED: Readonly<Record<string, string>> = {
  'dimension-balances': 'dimension=CC&',
  lines: 'from=2026-01-01&to=2026-12-31&',
  'posting-groups': 'from=2026-01-01&to=2026-12-31&',
};
const FILTERS: Readonly<Record<string, string>> = {
  'exchange-rates': 'from=USD',
  'journal-entries': 'keyPrefix=t',
  'open-items': 'status=all',
  'ap-ageing': 'date=2026-05-31',
  'dimension-balances': 'from=2026-01-01',
  ledger: 'from=2026-01-01',
  lines: 'taxCode=I25',
};

let lists: readonly string[];
let own: string;
let other: string;
let companyKey: string;
let tried = 0;

const lastOf = (path: string) => path.split('/').at(-1) ?? '';

async function page(path: string, query: string, bearer = API_KEY) {
  tried += 1;
  const { statusCode: status, body } = await ledger.app.inject({
    method: 'GET',
    url: `${path}?${NEEDED[lastOf(path)] ?? ''}${query}`,
    headers: { authorization: `Bearer ${bearer}` },
  });
  return { status, body: JSON.parse(body) as WirePage<unknown> & { readonly type?: string } };
}

async function books(): Promise<string> {
  const company = await createBooks(ledger);
  const put = (path: string, data: readonly object[]) => ledger.call('PUT', `/companies/${company}${path}`, { data });
  await put('/tax-codes', [{ code: 'Z', name: 'Zero', rate: '0' }]);
  await put('/dimensions', [{ code: 'P', name: 'Project' }]);
  await put('/exchange-rates', [
    { from: 'USD', to: 'EUR', date: '2026-04-02', rate: '0.9' },
    { from: 'USD', to: 'EUR', date: '2026-04-03', rate: '0.9' },
  ]);
  const tax = { place: 'input', reverseCharge: false, rate: '0.25', deductible: '1' };
  const figures = { taxableMinor: '10000', taxMinor: '2500', taxableBaseMinor: '10000', taxBaseMinor: '2500' };
  const taxed = { taxCode: 'I25', tax: { ...tax, ...figures } };
  const lines = [
    line('6071', 10_000, { dimensions: { CC: '100' } }),
    line('2641', 2_500, taxed),
    line('5410', 10_000, { taxCode: 'I25' }),
    line('2641', 2_500, taxed),
    line('1935', -25_000),
  ];
  await ledger.call('POST', `/companies/${company}/posting-groups`, {
    groups: [group('taxed', { entries: [entry(lines)] })],
  });
  return company;
}

beforeAll(async () => {
  [own, other] = [await books(), await books()];
  companyKey = (await ledger.call<{ readonly apiKey: string }>('POST', `/companies/${own}/api-keys`)).body.apiKey;
  const { body } = await ledger.call<{
    readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly { name: string }[] } }>>;
  }>('GET', '/openapi.json');
  lists = Object.entries(body.paths)
    .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'after'))
    .map(([path]) => path.replace('{accountCode}', '5410'));
});

describe('a cursor', () => {
  it('continues its own list, with another page size and in another format', async () => {
    expect(lists.length).toBeGreaterThanOrEqual(14);
    for (const list of lists) {
      const path = list.replace('{companyId}', own);
      const first = await page(path, 'limit=1');
      const whole = await page(path, '');
      expect([list, first.status, typeof first.body.nextCursor]).toEqual([list, 200, 'string']);
      const rest = await page(path, `limit=500&after=${String(first.body.nextCursor)}`);
      expect([list, [...first.body.data, ...rest.body.data].length]).toEqual([list, whole.body.data.length]);
    }
  });

  it('of another list, filter, company or key, or without its end, is refused', async () => {
    const paths = lists.map((list) => list.replace('{companyId}', own));
    for (const [index, path] of paths.entries()) {
      const { nextCursor } = (await page(path, 'limit=1')).body;
      const cursor = String(nextCursor);
      const filter = FILTERS[lastOf(path)];
      const foreign = lists[index]?.includes('{companyId}') === true ? [path.replace(own, other)] : [];
      const refused = [
        ...(await Promise.all(
          [...paths.filter((each) => each !== path), ...foreign].map((each) => page(each, `after=${cursor}`)),
        )),
        await page(path, `after=${cursor}`, companyKey),
        await page(path, `after=${cursor.split('.')[0] ?? ''}`),
        await page(path, `after=${cursor.slice(0, -1)}`),
        ...(filter === undefined ? [] : [await page(path, `${filter}&after=${cursor}`)]),
      ];
      expect([path, refused.map(({ status, body }) => `${status.toString()} ${body.type ?? ''}`)]).toEqual([
        path,
        refused.map(() => '400 urn:problem:invalid-cursor'),
      ]);
    }
    expect(tried).toBeGreaterThan(250);
  });
});
