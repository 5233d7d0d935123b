// Tryton and its adapter under the contract suite.
import { tryton } from '../../../src/connector/erp/tryton/tryton.erp.js';
import { currencyDigits } from '../../../src/kernel/currency.js';
import { toErpCompanyId } from '../../../src/kernel/ids.js';
import type { Passing } from '../../../src/erp-contract/http-proxy.js';
import { connectTryton, TRYTON_CAPABILITIES, type ConnectedTryton } from '../../support/tryton/connected-tryton.js';
import type { Row } from '../../support/tryton/tryton-client.js';
import type {
  BookedEntry,
  BookedLine,
  ErpHarness,
  KnownCompany,
  StartedErp,
} from '../../../src/erp-contract/harness.js';
import { currency, day } from '../../../src/erp-contract/posting-group.builder.js';

/** The requests that have an effect that counts: all others are reads, or leave drafts. */
const COMMITS = ['model.account.move.post', 'model.party.party.create'];

export const harnesses: readonly ErpHarness[] = [
  {
    name: 'Tryton 6.0',
    definition: tryton,
    capabilities: TRYTON_CAPABILITIES,
    currencies: ['USD', 'JPY', 'KWD'],
    start,
  },
];

async function start(): Promise<StartedErp> {
  const connected = await connectTryton();
  return {
    company: knownCompany(connected),
    address: connected.server.url,
    settings: connected.settings,
    commits: (request) => COMMITS.includes(methodOf(request)),
    entriesUnder: (key) => entriesUnder(connected, key),
    stop: () => connected.stop(),
  };
}

export function methodOf({ body }: Passing): string {
  return (JSON.parse(body.toString()) as { readonly method: string }).method;
}

/** Posted moves under a key, reversals included. */
export async function entriesUnder({ client }: ConnectedTryton, key: string): Promise<readonly BookedEntry[]> {
  const moves = await client.search(
    'account.move',
    [
      ['description', 'like', `${key} %`],
      ['state', '=', 'posted'],
    ],
    ['description', 'date', 'origin'],
  );
  const lines = await client.search(
    'account.move.line',
    [['move', 'in', moves.map(({ id }) => id)]],
    [
      ...['move', 'debit', 'credit', 'amount_second_currency', 'description', 'account.code', 'party.code'],
      ...['tax_lines.tax.name', 'analytic_lines.account.code', 'analytic_lines.account.root.code'],
    ],
  );
  return moves.map((move) =>
    bookedEntry(
      move,
      lines.filter((line) => line['move'] === move.id),
    ),
  );
}

function bookedEntry(move: Row, lines: readonly Row[]): BookedEntry {
  const [, human = '', params = ''] = /^\S+ (.*) \[(.*)\]$/.exec(String(move['description'])) ?? [];
  const mark = new URLSearchParams(params);
  const documentNumber = mark.get('doc') ?? undefined;
  const entryCurrency = mark.get('c') ?? '';
  return {
    role: move['origin'] == null ? (mark.get('role') as BookedEntry['role']) : 'reversal',
    state: 'posted',
    postingDate: dayText(move['date']),
    currency: entryCurrency,
    documentNumber,
    description: documentNumber === undefined ? human : human.slice(documentNumber.length + 1),
    reference: mark.get('ref') ?? undefined,
    lines: lines.map((line) => bookedLine(line, entryCurrency)),
  };
}

function bookedLine(line: Row, entryCurrency: string): BookedLine {
  const baseMinor = minorOf(line['debit'], 'EUR') - minorOf(line['credit'], 'EUR');
  const [, employee] = / \[([^\]]+)\]$/.exec(String(line['description'])) ?? [];
  const taxes = line['tax_lines.'] as readonly { readonly 'tax.': { readonly name: string } }[];
  const analytic = line['analytic_lines.'] as readonly {
    readonly 'account.': { readonly code: string; readonly 'root.': { readonly code: string } };
  }[];
  return {
    accountCode: (line['account.'] as { readonly code: string }).code,
    amountMinor: entryCurrency === 'EUR' ? baseMinor : minorOf(line['amount_second_currency'], entryCurrency),
    baseMinor,
    vendorCode: (line['party.'] as { readonly code: string } | null)?.code,
    employee,
    taxCode: taxes[0]?.['tax.'].name,
    dimensions: Object.fromEntries(analytic.map(({ 'account.': account }) => [account['root.'].code, account.code])),
  };
}

function minorOf(amount: unknown, code: string): bigint {
  const { decimal } = amount as { readonly decimal: string };
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(decimal) ?? [];
  const digits = currencyDigits(code) ?? 2;
  return BigInt(`${sign ?? ''}${whole ?? ''}${fraction.padEnd(digits, '0').slice(0, digits)}`);
}

function dayText(date: unknown): string {
  const { year, month, day: dayOfMonth } = date as Readonly<Record<string, number>>;
  return [year, month, dayOfMonth].map((part) => (part ?? 0).toString().padStart(2, '0')).join('-');
}

/** What `seedCompany` sets up. */
function knownCompany({ company }: ConnectedTryton): KnownCompany {
  return {
    id: toErpCompanyId(company.id.toString()),
    name: 'Nordlys ApS',
    registrationNumber: undefined,
    functionalCurrency: 'EUR',
    timeZone: 'Europe/Copenhagen',
    accounts: { expense: '5410', wallet: '1935', payables: '2440', inactive: '9999' },
    taxCode: 'I25',
    dimension: { dimension: 'CC', value: '100' },
    vendor: 'V-7',
    blockedVendor: 'V-8',
    openDay: day('2026-03-02'),
    closedDay: day('2026-01-15'),
    rate: { from: currency('USD'), to: currency('EUR'), date: day('2026-03-02'), rate: '0.9123' },
  };
}
