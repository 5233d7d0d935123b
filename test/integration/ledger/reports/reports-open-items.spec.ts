import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cursorSuffix } from '../../../../src/foundation/http/bound-cursors.interceptor.js';
import { Clock } from '../../../../src/kernel/clock.js';
import { entry, group, startLedger, type WirePage } from '../ledger-harness.js';
import { asOwner, createBooks, foreign, post, reverse } from './reports-books.js';
import { startedOnce } from '../../../support/started-once.js';

const ledger = startedOnce(startLedger);
let company: string;

beforeAll(async () => {
  company = await createBooks(ledger);
});

type Item = Readonly<Record<string, unknown>>;
type Items = WirePage<Item> & { readonly date: string };

const openItems = async (query: string, of = company) =>
  (await ledger.call<Items>('GET', `/companies/${of}/open-items${query}`)).body;

const short = ({ data }: Items) =>
  data.map((item) =>
    ['vendorNumber', 'documentNumber', 'currency', 'openMinor', 'openBaseMinor'].map((name) => item[name]),
  );

const INVOICE_EUR = ['V-9', 'B-1', 'EUR', '-62500', '-62500'];

describe('open items', () => {
  it.each([
    ['2026-03-02', []],
    ['2026-03-03', [INVOICE_EUR]],
    ['2026-04-14', [['V-7', 'A-17', 'USD', '-100000', '-90000'], INVOICE_EUR]],
    // 600.00 were paid at a base of 558.00; 540.00 of the invoice's 900.00 left with them.
    ['2026-04-15', [['V-7', 'A-17', 'USD', '-40000', '-36000'], INVOICE_EUR]],
    ['2026-05-02', [['V-7', 'A-17', 'USD', '-40000', '-36000']]],
    ['2026-05-19', [['V-7', 'A-17', 'USD', '-40000', '-36000']]],
    ['2026-05-20', [['V-7', 'A-17', 'USD', '-40000', '-36000'], INVOICE_EUR]],
  ])('at the end of %s', async (date, expected) => {
    expect(short(await openItems(`?date=${date}`))).toEqual(expected);
  });

  it('show an item with what was settled of it', async () => {
    const { data } = await openItems('?date=2026-05-31&vendor=V-7');
    expect(data).toEqual([
      {
        vendorNumber: 'V-7',
        vendorName: 'Papier GmbH',
        accountCode: '2440',
        entryId: expect.any(String),
        number: '2026-000006',
        lineNo: 2,
        role: 'invoice',
        documentNumber: 'A-17',
        documentDate: '2026-03-09',
        postedOn: '2026-03-10',
        dueOn: '2026-04-09',
        daysOverdue: 52,
        currency: 'USD',
        amountMinor: '-100000',
        settledMinor: '-60000',
        openMinor: '-40000',
        baseMinor: '-90000',
        settledBaseMinor: '-54000',
        openBaseMinor: '-36000',
      },
    ]);
  });

  it('show settled ones on request, sorted by vendor, due date and entry', async () => {
    const { data } = await openItems('?date=2026-05-02&status=all');
    expect(data.map((item) => [item['vendorNumber'], item['role'], item['dueOn'], item['openMinor']])).toEqual([
      ['V-7', 'invoice', '2026-04-09', '-40000'],
      ['V-7', 'payment', '2026-04-15', '0'],
      ['V-9', 'invoice', '2026-02-20', '0'],
      ['V-9', 'payment', '2026-05-02', '0'],
    ]);
  });

  it('are paged', async () => {
    const seen: unknown[] = [];
    let after = '';
    do {
      const page = await openItems(`?date=2026-05-31&status=all&limit=2${after}`);
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data);
      after = page.nextCursor === null ? '' : `&after=${page.nextCursor}`;
    } while (after !== '');
    expect(seen).toEqual((await openItems('?date=2026-05-31&status=all')).data);
    expect(seen).toHaveLength(5);
  });

  it('are by default those of today in the company’s time zone', async () => {
    const clock = ledger.app.get(Clock);
    const now = jest.spyOn(clock, 'now').mockReturnValue(new Date('2026-04-14T22:30:00Z'));
    expect((await openItems('')).date).toBe('2026-04-15');
    now.mockReturnValue(new Date('2026-04-14T21:30:00Z'));
    expect((await openItems('')).date).toBe('2026-04-14');
    now.mockRestore();
  });

  it.each(['date=2026-13-01', 'status=settled', 'limit=1001'])('refuse %s', async (query) => {
    expect((await ledger.read(`/companies/${company}/open-items?${query}`)).status).toBe(400);
  });

  it('refuse a cursor with an impossible position', async () => {
    const path = `/companies/${company}/open-items`;
    const cursor = Buffer.from('["V","x","x","x"]').toString('base64url') + cursorSuffix(undefined, path, {});
    expect((await ledger.read(`${path}?after=${cursor}`)).status).toBe(400);
  });
});

describe('a settlement on a day of a closed period', () => {
  it('counts from the first open day after it', async () => {
    const late = await createBooks(ledger);
    const usd = (minor: number, more: object) =>
      entry([], {
        currency: 'USD',
        lines: [
          foreign('2440', minor, Math.round(minor * 0.9), { vendorNumber: 'V-7' }),
          foreign('1936', -minor, -Math.round(minor * 0.9)),
        ],
        ...more,
      });
    const invoice = { role: 'invoice', documentNumber: 'L-1', postingDate: '2026-06-10' };
    await ledger.call('PUT', `/companies/${late}/periods`, {
      data: [
        { fiscalYear: 2026, from: '2026-02-01', to: '2026-05-31', state: 'open' },
        { fiscalYear: 2026, from: '2026-06-01', to: '2026-12-31', state: 'open' },
      ],
    });
    await post(ledger, late, [group('late', { entries: [usd(-5_000, invoice)] })]);
    await ledger.call('PUT', `/companies/${late}/periods/2026-06-01/state`, { state: 'closed' });
    const settlement = {
      kind: 'settles',
      vendorNumber: 'V-7',
      numbers: ['L-1'],
      currency: 'USD',
      amountMinor: '5000',
    };
    await post(ledger, late, [
      group('early', { entries: [usd(5_000, { role: 'payment', postingDate: '2026-05-25', settlement })] }),
    ]);
    const open = async (date: string) =>
      (await openItems(`?date=${date}&vendor=V-7`, late)).data.map((item) => [item['role'], item['openMinor']]);
    expect(await open('2026-05-31')).toEqual([
      ['invoice', '-40000'],
      ['payment', '5000'],
    ]);
    expect(await open('2026-12-31')).toEqual([
      ['invoice', '-40000'],
      ['payment', '5000'],
      ['invoice', '-5000'],
    ]);
    expect(await open('2027-01-01')).toEqual([['invoice', '-40000']]);
    for (const date of ['2026-05-31', '2026-06-10', '2026-12-31', '2027-01-01']) {
      expect([date, await ageingTotal(date, late)]).toEqual([date, await vendorLines(date, late)]);
    }
  });
});

interface Aged {
  readonly amountMinor: string;
  readonly baseMinor: string;
}

type AgeingRow = Readonly<Record<'vendorNumber' | 'currency', string>> & Readonly<Record<string, Aged | string>>;

interface Ageing extends WirePage<AgeingRow> {
  readonly date: string;
  readonly totals: readonly AgeingRow[];
  readonly baseTotalMinor: string;
}

const ageing = async (query: string, of = company) =>
  (await ledger.call<Ageing>('GET', `/companies/${of}/ap-ageing${query}`)).body;

const ageingTotal = async (date: string, of = company) => (await ageing(`?date=${date}`, of)).baseTotalMinor;

/** What the books hold of all vendors, line by line. */
async function vendorLines(date: string, of = company): Promise<string> {
  const [row] = await asOwner<{ readonly base: string }>(
    ledger,
    `SELECT coalesce(sum(base_minor), 0)::text AS base
     FROM journal_entry entry JOIN journal_line line ON line.entry_id = entry.id
     WHERE entry.company_id = '${of}' AND entry.state = 'posted' AND posting_date <= '${date}' AND vendor_number IS NOT NULL`,
  );
  return row?.base ?? '';
}

describe('ageing', () => {
  const AGES = ['notDue', 'overdue1To30', 'overdue31To60', 'overdue61To90', 'overdueOver90'];

  it.each([
    ['2026-04-09', 'notDue', '-100000'],
    ['2026-04-10', 'overdue1To30', '-100000'],
    ['2026-05-09', 'overdue1To30', '-40000'],
    ['2026-05-10', 'overdue31To60', '-40000'],
    ['2026-06-08', 'overdue31To60', '-40000'],
    ['2026-06-09', 'overdue61To90', '-40000'],
    ['2026-07-08', 'overdue61To90', '-40000'],
    ['2026-07-09', 'overdueOver90', '-40000'],
  ])('on %s an invoice due on 2026-04-09 is %s', async (date, age, amountMinor) => {
    const row = (await ageing(`?date=${date}`)).data.find((each) => each.vendorNumber === 'V-7');
    const filled = AGES.filter((name) => (row?.[name] as Aged | undefined)?.amountMinor !== '0');
    expect(filled).toEqual([age]);
    expect(row).toMatchObject({ [age]: { amountMinor }, total: { amountMinor } });
  });

  it('shows vendors by currency, with totals', async () => {
    const zero = { amountMinor: '0', baseMinor: '0' };
    const none = { ...Object.fromEntries(AGES.map((age) => [age, zero])), baseOnly: zero };
    const usd = {
      ...none,
      currency: 'USD',
      overdue31To60: { amountMinor: '-40000', baseMinor: '-36000' },
      baseOnly: { amountMinor: '0', baseMinor: '-50' },
      total: { amountMinor: '-40000', baseMinor: '-36050' },
    };
    const eur = {
      ...none,
      currency: 'EUR',
      overdueOver90: { amountMinor: '-62500', baseMinor: '-62500' },
      total: { amountMinor: '-62500', baseMinor: '-62500' },
    };
    expect(await ageing('?date=2026-05-31')).toEqual({
      date: '2026-05-31',
      functionalCurrency: 'EUR',
      data: [
        { vendorNumber: 'V-7', vendorName: 'Papier GmbH', ...usd },
        { vendorNumber: 'V-9', vendorName: '=Möbel, "Hus"', ...eur },
      ],
      nextCursor: null,
      totals: [eur, usd],
      baseTotalMinor: '-98550',
    });
  });

  it('is paged with the totals of all vendors', async () => {
    const whole = await ageing('?date=2026-05-31');
    const first = await ageing('?date=2026-05-31&limit=1');
    const second = await ageing(`?date=2026-05-31&limit=1&after=${first.nextCursor ?? ''}`);
    expect([...first.data, ...second.data]).toEqual(whole.data);
    expect([first.totals, second.totals]).toEqual([whole.totals, whole.totals]);
    expect(second.nextCursor).toBeNull();
  });

  it.each([
    '2026-03-01',
    '2026-03-03',
    '2026-03-10',
    '2026-04-15',
    '2026-04-20',
    '2026-05-02',
    '2026-05-19',
    '2026-05-20',
    '2026-12-31',
  ])('on %s adds up to the lines of all vendors', async (date) => {
    expect(await ageingTotal(date)).toBe(await vendorLines(date));
  });

  it('still adds up after documents and payments were reversed', async () => {
    const other = await createBooks(ledger);
    for (const key of ['payment-usd', 'invoice-eur', 'correction']) {
      await reverse(ledger, other, key);
    }
    for (const date of ['2026-03-31', '2026-04-15', '2026-04-30', '2026-05-31', '2027-12-31']) {
      expect([date, await ageingTotal(date, other)]).toEqual([date, await vendorLines(date, other)]);
    }
    const last = await ageing('?date=2027-12-31', other);
    expect(last.totals).toMatchObject([{ currency: 'USD', total: { amountMinor: '-100000', baseMinor: '-90000' } }]);
  });
});
