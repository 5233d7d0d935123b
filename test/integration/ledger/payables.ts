import pg from 'pg';
import {
  createCompany,
  type LedgerResponse,
  type LedgerHarness,
  type LineInput,
  type WireOutcome,
} from './ledger-harness.js';

// A company that buys on account: vendors, their invoices, payments and returns, and what of them is open.

export interface Warned extends WireOutcome {
  readonly revision?: number;
  readonly message?: string;
  readonly warnings?: readonly { readonly code?: string; readonly message?: string }[];
}

export interface Outcomes<Outcome = Warned> {
  readonly outcomes: readonly Outcome[];
}

export interface EntryOptions {
  /** Main number of the group's key; the key itself when absent. */
  readonly digest?: string;
  readonly revision?: number;
  readonly state?: 'draft' | 'posted';
  readonly postingDate?: string;
  readonly currency?: string;
  readonly vendorNumber?: string;
  /** Minor units of the functional currency; the amount when absent. */
  readonly base?: number;
  readonly documentNumber?: string | null;
  /** Of the vendor's line. */
  readonly payable?: string;
  /** Of the other line. */
  readonly against?: string;
  readonly employee?: string;
  readonly realizedFxAccountCode?: string | null;
}

interface BalanceRow {
  readonly accountCode: string;
  readonly baseBalanceMinor: string;
}

export class Payables {
  private constructor(
    private readonly ledger: LedgerHarness,
    readonly companyId: string,
  ) {}

  /** 2026 is open by month from February to April, and as one period after that; January is closed. */
  static async open(ledger: LedgerHarness, options: object = {}): Promise<Payables> {
    const payables = new Payables(ledger, await createCompany(ledger, options));
    await payables.put('/accounts', { data: MORE_ACCOUNTS });
    await payables.put('/vendors', { data: VENDORS });
    await payables.put('/periods', { data: PERIODS });
    return payables;
  }

  async put(path: string, body: unknown): Promise<void> {
    const { status, body: answer } = await this.ledger.call('PUT', `/companies/${this.companyId}${path}`, body);
    if (status >= 300) throw new Error(`PUT ${path}: ${status.toString()} ${JSON.stringify(answer)}`);
  }

  call<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<LedgerResponse<Body>> {
    return this.ledger.call<Body>(method, `/companies/${this.companyId}${path}`, body);
  }

  /** @returns an outcome per group */
  async post(...groups: readonly object[]): Promise<readonly Warned[]> {
    return (await this.call<Outcomes>('POST', '/posting-groups', { groups })).body.outcomes;
  }

  /** Posts groups that must be created. */
  async created(...groups: readonly object[]): Promise<readonly Warned[]> {
    const outcomes = await this.post(...groups);
    const wrong = outcomes.find(({ outcome }) => outcome !== 'created');
    if (wrong !== undefined) throw new Error(JSON.stringify(wrong));
    return outcomes;
  }

  /** Posts each group in a request of its own. */
  async createdOneByOne(...groups: readonly object[]): Promise<readonly Warned[]> {
    const outcomes: Warned[] = [];
    for (const group of groups) outcomes.push(...(await this.created(group)));
    return outcomes;
  }

  async archive(code: string, active = false): Promise<void> {
    await this.put('/accounts', { data: [{ code, name: `Account ${code}`, type: 'expense', active }] });
  }

  async closePeriod(from: string, state = 'closed'): Promise<void> {
    await this.put(`/periods/${from}/state`, { state });
  }

  /** Runs a query with the company's id as $1. */
  async rows<Row extends unknown[]>(text: string): Promise<readonly Row[]> {
    const client = new pg.Client({
      connectionString: this.ledger.databaseUrl,
      types: { getTypeParser: asText },
    });
    await client.connect();
    try {
      await client.query('SET search_path = ledger');
      return (await client.query<Row>({ text, values: [this.companyId], rowMode: 'array' })).rows;
    } finally {
      await client.end();
    }
  }

  /** What is open: "key role" → amount and base. */
  async open(): Promise<Readonly<Record<string, readonly [string, string]>>> {
    const rows = await this.rows<[string, string, string]>(`
      SELECT posting_group.key || ' ' || entry.role, item.open_minor, item.open_base_minor
      FROM open_item item JOIN journal_entry entry ON entry.id = item.entry_id
      JOIN posting_group ON posting_group.id = entry.posting_group_id
      WHERE item.company_id = $1 AND item.open_minor <> 0 ORDER BY 1`);
    return Object.fromEntries(rows.map(([name, amount, base]) => [name, [amount, base] as const]));
  }

  /** Settlements in order: keys of the debit and the credit, amount, base on each side, day, whether it is an undoing. */
  async settlements(): Promise<readonly (readonly string[])[]> {
    return this.rows<string[]>(`
      SELECT debit_group.key, credit_group.key, amount_minor, debit_base_minor, credit_base_minor, settled_on,
        CASE WHEN undoes_id IS NULL THEN 'made' ELSE 'undone' END
      FROM settlement
      JOIN journal_entry debit ON debit.id = debit_entry_id JOIN posting_group debit_group ON debit_group.id = debit.posting_group_id
      JOIN journal_entry credit ON credit.id = credit_entry_id JOIN posting_group credit_group ON credit_group.id = credit.posting_group_id
      WHERE settlement.company_id = $1 ORDER BY settlement.id`);
  }

  /** Lines of the entries of one role: key of the group, posting date, account, vendor, amount, base. */
  async linesOf(role: string): Promise<readonly (readonly (string | null)[])[]> {
    return this.rows<(string | null)[]>(`
      SELECT key, posting_date, account_code, vendor_number, amount_minor, base_minor
      FROM journal_entry entry JOIN posting_group ON posting_group.id = entry.posting_group_id
      JOIN journal_line line ON line.entry_id = entry.id
      WHERE entry.company_id = $1 AND role = '${role}' ORDER BY entry.id, line_no`);
  }

  /** Balances in base of the accounts that are not zero, as the trial balance has them: posted entries only. */
  async balances(): Promise<Readonly<Record<string, string>>> {
    const { body } = await this.call<{ readonly rows: readonly BalanceRow[] }>('GET', '/trial-balance');
    const byAccount = Map.groupBy(body.rows, (row) => row.accountCode);
    const sums = [...byAccount].map(([code, rows]): [string, bigint] => [
      code,
      rows.reduce((sum, row) => sum + BigInt(row.baseBalanceMinor), 0n),
    ]);
    return Object.fromEntries(sums.filter(([, sum]) => sum !== 0n).map(([code, sum]) => [code, sum.toString()]));
  }
}

/** Codes of the warnings of each outcome. */
export function codesOf(outcomes: readonly Warned[]): readonly (readonly unknown[])[] {
  return outcomes.map(({ warnings = [] }) => warnings.map(({ code }) => code));
}

/** What the warnings of all outcomes say. */
export function messagesOf(outcomes: readonly Warned[]): readonly unknown[] {
  return outcomes.flatMap(({ warnings = [] }) => warnings.map(({ message }) => message));
}

/** Options of an entry in a foreign currency. */
export function dollars(base: number, more: EntryOptions = {}): EntryOptions {
  return { vendorNumber: 'V-8', currency: 'USD', base, realizedFxAccountCode: '7960', ...more };
}

function asText() {
  return (value: string) => value;
}

const MORE_ACCOUNTS = [
  { code: '2441', name: 'Payables of V-9', type: 'liability' },
  { code: '2890', name: 'Out-of-pocket', type: 'liability' },
  { code: '4010', name: 'Goods', type: 'expense' },
  { code: '7960', name: 'Realized FX', type: 'income' },
];
const VENDORS = [
  { number: 'V-8', name: 'Atlas Inc', country: 'US' },
  { number: 'V-9', name: 'Own Account Ltd', country: 'GB', payableAccountCode: '2441' },
  { number: 'E-3', name: 'Eva Holm', country: 'DK', isEmployee: true },
];
const PERIODS = [
  { fiscalYear: 2026, from: '2026-02-01', to: '2026-02-28', state: 'open' },
  { fiscalYear: 2026, from: '2026-03-01', to: '2026-03-31', state: 'open' },
  { fiscalYear: 2026, from: '2026-04-01', to: '2026-04-30', state: 'open' },
  { fiscalYear: 2026, from: '2026-05-01', to: '2026-12-31', state: 'open' },
];

/** A purchase invoice that is left open. */
export function invoice(key: string, number: string, minor: number, options: EntryOptions = {}): object {
  return groupOf(key, options, [documentEntry('invoice', -minor, { documentNumber: number, ...options })]);
}

export function creditNote(key: string, number: string, minor: number, options: EntryOptions = {}): object {
  return groupOf(key, options, [documentEntry('credit-note', minor, { documentNumber: number, ...options })]);
}

/** An invoice and its payment in one group. */
export function purchase(key: string, number: string, minor: number, options: EntryOptions = {}): object {
  return groupOf(key, options, [
    documentEntry('invoice', -minor, { documentNumber: number, ...options, against: '5410' }),
    moneyEntry('payment', minor, 'within', [], { documentNumber: number, ...options }),
  ]);
}

/** A credit note and its receipt in one group. */
export function refund(key: string, number: string, minor: number, options: EntryOptions = {}): object {
  return groupOf(key, options, [
    documentEntry('credit-note', minor, { documentNumber: number, ...options, against: '5410' }),
    moneyEntry('receipt', -minor, 'within', [], { documentNumber: number, ...options }),
  ]);
}

/** A payment of the invoices of these numbers. */
export function payment(key: string, numbers: readonly string[], minor: number, options: EntryOptions = {}): object {
  return groupOf(key, options, [moneyEntry('payment', minor, 'settles', numbers, options)]);
}

/** A payment of the invoices of these numbers that came back. */
export function returned(key: string, numbers: readonly string[], minor: number, options: EntryOptions = {}): object {
  return groupOf(key, options, [moneyEntry('receipt', -minor, 'reopens', numbers, options)]);
}

/** One entry without a vendor. */
export function journal(
  key: string,
  lines: readonly LineInput[],
  options: EntryOptions & { readonly role?: string } = {},
): object {
  const { role = 'entry', state = 'posted', postingDate = '2026-03-02', documentNumber = null } = options;
  const entry = { role, state, postingDate, documentNumber, currency: 'EUR', description: key, lines };
  return groupOf(key, options, [entry]);
}

function groupOf(key: string, { digest = key, revision }: EntryOptions, entries: readonly object[]): object {
  return { key, contentDigest: digest, ...(revision !== undefined && { revision }), entries };
}

function documentEntry(role: string, minor: number, options: EntryOptions): object {
  const { postingDate = '2026-03-02' } = options;
  return entryOf(role, minor, '5410', { ...options, postingDate });
}

function moneyEntry(
  role: string,
  minor: number,
  kind: 'within' | 'settles' | 'reopens',
  numbers: readonly string[],
  options: EntryOptions,
): object {
  const { vendorNumber = 'V-7', currency = 'EUR', realizedFxAccountCode = null } = options;
  const amountMinor = Math.abs(minor).toString();
  const settlement = { kind, vendorNumber, numbers, currency, amountMinor, realizedFxAccountCode };
  return { ...entryOf(role, minor, '1935', options), settlement };
}

/** @param minor on the vendor's line */
function entryOf(role: string, minor: number, other: string, options: EntryOptions): object {
  const { state = 'posted', postingDate = '2026-03-20', currency = 'EUR', vendorNumber = 'V-7' } = options;
  const { base = Math.abs(minor), payable = '2440', against = other, employee } = options;
  const baseMinor = Math.sign(minor) * base;
  const lines = [
    { accountCode: payable, amountMinor: minor.toString(), baseMinor: baseMinor.toString(), vendorNumber },
    { accountCode: against, amountMinor: (-minor).toString(), baseMinor: (-baseMinor).toString(), employee },
  ];
  const { documentNumber = null } = options;
  return { role, state, postingDate, documentNumber, currency, description: role, lines };
}
