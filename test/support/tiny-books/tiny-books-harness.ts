// Tiny Books and its adapter under the contract suite.
import { toErpCompanyId } from 'erp-export-connector/erp-kit';
import {
  currency,
  day,
  type BookedEntry,
  type ErpHarness,
  type KnownCompany,
  type StartedErp,
} from 'erp-export-connector/erp-contract';
import { API_KEY, startTinyBooks, type TinyBooks, type TinyVoucher } from './tiny-books-server.js';
import { tinyBooks } from './tiny-books.erp.js';

const DIGITS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };

export const harnesses: readonly ErpHarness[] = [
  {
    name: 'Tiny Books',
    definition: tinyBooks,
    capabilities: tinyBooks.capabilities({}),
    currencies: ['USD', 'JPY', 'KWD'],
    start,
  },
];

async function start(): Promise<StartedErp> {
  const server = await startTinyBooks();
  return {
    company: knownCompany(),
    address: server.url,
    settings: (url) => ({ url, apiKey: API_KEY }),
    // A voucher counts once it is booked.
    commits: ({ path }) => path === '/bookings',
    entriesUnder: (key) => Promise.resolve(bookedEntries(server, key)),
    stop: () => server.stop(),
  };
}

export function knownCompany(): KnownCompany {
  const openDay = day('2026-03-02');
  return {
    id: toErpCompanyId('tiny'),
    name: 'Nordlys ApS',
    registrationNumber: undefined,
    functionalCurrency: 'EUR',
    timeZone: 'Europe/Copenhagen',
    accounts: { expense: '5410', wallet: '1935', payables: '2440', inactive: '9999' },
    taxCode: 'I25',
    dimension: { dimension: 'CC', value: '100' },
    vendor: 'V-7',
    blockedVendor: 'V-8',
    openDay,
    closedDay: day('2026-01-15'),
    rate: {
      from: currency('USD'),
      to: currency('EUR'),
      date: openDay,
      rate: '0.9123',
    },
  };
}

/** What counts under a key. */
export function bookedEntries({ vouchers }: Pick<TinyBooks, 'vouchers'>, key: string): readonly BookedEntry[] {
  return vouchers.filter(({ ref, number }) => ref === key && number !== null).map(bookedEntry);
}

function bookedEntry(voucher: TinyVoucher): BookedEntry {
  const mark = new URLSearchParams(voucher.memo);
  return {
    role: voucher.reverses === null ? (mark.get('role') as BookedEntry['role']) : 'reversal',
    state: 'posted',
    postingDate: voucher.date,
    currency: voucher.currency,
    documentNumber: voucher.documentNo ?? undefined,
    description: voucher.text,
    reference: mark.get('ref') ?? undefined,
    lines: voucher.lines.map((line): BookedEntry['lines'][number] => ({
      accountCode: line.account,
      amountMinor: minorOf(line.amount, voucher.currency),
      baseMinor: minorOf(line.base, 'EUR'),
      vendorCode: line.supplier ?? undefined,
      employee: line.person ?? undefined,
      taxCode: line.vat ?? undefined,
      dimensions: line.costCenter === null ? {} : { CC: line.costCenter },
    })),
  };
}

/** @throws Error for an amount with other digits than its currency has */
function minorOf(amount: string, currency: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  if (fraction.length !== DIGITS[currency]) throw new Error(`${amount} is no amount in ${currency}`);
  return BigInt(whole + fraction);
}
