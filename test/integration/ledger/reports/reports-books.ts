import pg from 'pg';
import { createCompany, entry, group, line, type LedgerHarness, type WireOutcome } from '../ledger-harness.js';

/** A line of an entry in another currency. */
export function foreign(accountCode: string, minor: number, base: number, more: object = {}): object {
  return { accountCode, amountMinor: minor.toString(), baseMinor: base.toString(), dimensions: {}, ...more };
}

const settles = (kind: 'settles' | 'reopens', vendorNumber: string, number: string, currency: string) => ({
  kind,
  vendorNumber,
  numbers: [number],
  currency,
  amountMinor: '1',
  realizedFxAccountCode: '7960',
});

const SALES = { dimensions: { CC: '100' } };
const V7 = { vendorNumber: 'V-7' };
const V9 = { vendorNumber: 'V-9' };

const PURCHASES = [
  group('purchase'),
  group('dollars', {
    entries: [
      entry([], {
        currency: 'USD',
        postingDate: '2026-03-05',
        lines: [foreign('5410', 3003, 2739), foreign('1936', -3003, -2740), foreign('3960', 0, 1)],
      }),
    ],
  }),
  group('yen', {
    entries: [
      entry([], {
        currency: 'JPY',
        postingDate: '2026-03-05',
        lines: [foreign('5410', 1500, 915, SALES), foreign('1937', -1500, -915)],
      }),
    ],
  }),
  group('draft', { entries: [entry([line('6071', 700), line('1935', -700)], { state: 'draft' })] }),
  group('cancelled', {
    entries: [entry([line('6071', 333), line('1935', -333)], { postingDate: '2026-03-20' })],
  }),
];

const DOCUMENTS = [
  group('invoice-eur', {
    entries: [
      entry([line('5410', 62_500, SALES), line('2440', -62_500, V9)], {
        role: 'invoice',
        postingDate: '2026-03-03',
        documentDate: '2026-02-20',
        documentNumber: 'B-1',
      }),
    ],
  }),
  group('invoice-usd', {
    entries: [
      entry([], {
        role: 'invoice',
        currency: 'USD',
        postingDate: '2026-03-10',
        documentDate: '2026-03-09',
        dueDate: '2026-04-09',
        documentNumber: 'A-17',
        lines: [foreign('5410', 100_000, 90_000, SALES), foreign('2440', -100_000, -90_000, V7)],
      }),
    ],
  }),
];

const PAYMENTS = [
  group('payment-usd', {
    entries: [
      entry([], {
        role: 'payment',
        currency: 'USD',
        postingDate: '2026-04-15',
        lines: [foreign('2440', 60_000, 55_800, V7), foreign('1936', -60_000, -55_800)],
        settlement: settles('settles', 'V-7', 'A-17', 'USD'),
        metadata: {
          accountingEntryId: 'ae-5',
          exportJobId: 'job-1',
          mappingVersion: 3,
          installationId: 'inst-1',
        },
      }),
    ],
  }),
  // A corrected rate: in base only, and no settlement.
  group('correction', {
    entries: [
      entry([], {
        currency: 'USD',
        postingDate: '2026-04-20',
        lines: [foreign('2440', 0, -50, V7), foreign('3960', 0, 50)],
      }),
    ],
  }),
  group('payment-eur', {
    entries: [
      entry([line('2440', 62_500, V9), line('1935', -62_500)], {
        role: 'payment',
        postingDate: '2026-05-02',
        settlement: settles('settles', 'V-9', 'B-1', 'EUR'),
      }),
    ],
  }),
];

const RETURN = [
  group('return-eur', {
    entries: [
      entry([line('1935', 62_500), line('2440', -62_500, V9)], {
        role: 'receipt',
        postingDate: '2026-05-20',
        settlement: settles('reopens', 'V-9', 'B-1', 'EUR'),
      }),
    ],
  }),
];

/**
 * Books in euros with dollars and yen: purchases, a draft, a cancelled entry, two vendors' invoices of which one is paid in
 * part with a realized difference and one is paid and returned, and a correction in base only.
 */
export async function createBooks(ledger: LedgerHarness): Promise<string> {
  const company = await createCompany(ledger);
  await ledger.call('PUT', `/companies/${company}/accounts`, {
    data: [
      { code: '1937', name: 'Wallet JPY', type: 'asset' },
      { code: '7960', name: 'Realized FX', type: 'expense' },
    ],
  });
  await ledger.call('PUT', `/companies/${company}/vendors`, {
    data: [{ number: 'V-9', name: '=Möbel, "Hus"' }],
  });
  for (const groups of [PURCHASES, DOCUMENTS, PAYMENTS, RETURN]) {
    await post(ledger, company, groups);
  }
  await reverse(ledger, company, 'cancelled');
  return company;
}

/** @throws Error when a group was not created */
export async function post(ledger: LedgerHarness, company: string, groups: readonly object[]): Promise<void> {
  const { body } = await ledger.call<{ readonly outcomes: readonly WireOutcome[] }>(
    'POST',
    `/companies/${company}/posting-groups`,
    { groups },
  );
  const wrong = body.outcomes.filter(({ outcome }) => outcome !== 'created');
  if (wrong.length > 0) {
    throw new Error(`not posted: ${JSON.stringify(wrong)}`);
  }
}

/** @throws Error when the key was not reversed */
export async function reverse(ledger: LedgerHarness, company: string, key: string): Promise<void> {
  const { body } = await ledger.call<{ readonly outcomes: readonly WireOutcome[] }>(
    'POST',
    `/companies/${company}/posting-groups:reverse`,
    { keys: [key] },
  );
  if (body.outcomes[0]?.outcome !== 'reversed') {
    throw new Error(`not reversed: ${JSON.stringify(body)}`);
  }
}

/** Runs statements as the owner of the database, whom no trigger stops; returns the rows of the last one. */
export async function asOwner<Row extends object>(
  ledger: LedgerHarness,
  ...statements: readonly string[]
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: ledger.databaseUrl });
  await client.connect();
  try {
    await client.query(`SET search_path = ledger; SET session_replication_role = replica`);
    let rows: readonly Row[] = [];
    for (const statement of statements) {
      rows = (await client.query<Row>(statement)).rows;
    }
    return rows;
  } finally {
    await client.end();
  }
}
