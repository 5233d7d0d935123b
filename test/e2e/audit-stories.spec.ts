import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { demoCompany, demoPeople, demoSettings } from '../../src/sandbox/launch/demo/demo-company.js';
import type { DemoEntry } from '../../src/sandbox/launch/demo/items/demo-entry.js';
import { exportItemOf, type ExportItem } from '../../src/sandbox/launch/demo/items/export-item.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

// The stories of B8.2 on the three programs, by number. Amounts in minor units of EUR, debit positive.

const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));

const ledgerPath = `/companies/${demoCompany.ledgerId}`;
const resultsSchema = z.object({
  data: z.array(
    z.object({
      accountingEntryId: z.string(),
      state: z.string(),
      externalId: z.string().nullish(),
      failureReason: z.string().nullish(),
      warnings: z.array(z.string()),
    }),
  ),
});
const entriesSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      role: z.string(),
      state: z.string(),
      number: z.string().nullable(),
      documentNumber: z.string().nullable(),
      documentDate: z.string().nullable(),
      lines: z.array(
        z.object({ accountCode: z.string(), amountMinor: z.string(), vendorNumber: z.string().nullish() }),
      ),
    }),
  ),
});

let next = 20_000;
const known: string[] = [];

/** Puts an entry into the export queue of the platform. */
async function added(
  entry: Omit<DemoEntry, 'at' | 'by' | 'supplier' | 'note'>,
  more: object = {},
): Promise<ExportItem> {
  next += 1;
  const at = `2026-11-10T${(10 + (next % 10)).toString()}:${(10 + (next % 50)).toString()}`;
  const item = exportItemOf({ at, by: 'liis', supplier: 'Shop', note: 'Story', ...entry }, next);
  const sent = { ...item, ...more };
  await programs.clients.simulator.post(`/control/companies/${demoCompany.id}/items`, [sent]);
  return sent;
}

/** Exports these entries alone, and returns what became of the last one. */
async function exported(...items: readonly ExportItem[]) {
  const accountingEntryIds = items.map(({ accountingEntryId }) => accountingEntryId);
  const request = { vendorBasedBookkeeping: true, employeeId: demoPeople.maarja.id, accountingEntryIds };
  await programs.clients.simulator.post(`/control/companies/${demoCompany.id}/export`, request);
  const job = await programs.eventualVerdict(known);
  known.push(job.id);
  const { data } = await programs.clients.connector.read(`/api/v1/jobs/${job.id}/items`, resultsSchema);
  const result = data.find(({ accountingEntryId }) => accountingEntryId === accountingEntryIds.at(-1));
  if (result === undefined) throw new Error('the item has no result');
  return result;
}

async function changed(item: ExportItem): Promise<void> {
  await programs.clients.simulator.put(`/control/items/${item.accountingEntryId}`, { json: item });
}

async function entriesOf({ accountingEntryId }: ExportItem) {
  const path = `${ledgerPath}/journal-entries?limit=100&keyPrefix=${accountingEntryId}`;
  return (await programs.clients.ledger.read(path, entriesSchema)).data;
}

/** "role state: account·vendor amount · …" of every entry under the item's key, oldest first. */
async function booksOf(item: ExportItem): Promise<readonly string[]> {
  return (await entriesOf(item)).map(({ role, state, lines }) => {
    const texts = lines.map(({ accountCode, amountMinor, vendorNumber }) =>
      [vendorNumber == null ? accountCode : `${accountCode}·${vendorNumber}`, amountMinor].join(' '),
    );
    return `${role} ${state}: ${texts.join(' · ')}`;
  });
}

async function reversedByHand(item: ExportItem): Promise<{ readonly original: string; readonly reversal: string }> {
  const [entry] = await entriesOf(item);
  await programs.clients.ledger.post(`${ledgerPath}/journal-entries/${entry?.id ?? ''}/reversal`, {});
  const reversal = (await entriesOf(item)).find(({ role }) => role === 'reversal');
  return { original: entry?.number ?? '', reversal: reversal?.number ?? '' };
}

async function withPolicies(policies: object): Promise<void> {
  const { version } = await programs.clients.connector.read('/api/v1/settings', z.object({ version: z.number() }));
  const json = { ...demoSettings, policies: { ...demoSettings.policies, ...policies } };
  await programs.clients.connector.put('/api/v1/settings', {
    json,
    headers: { 'if-match': `"${version.toString()}"` },
  });
}

const MEAL = { type: 'card_purchase', method: 'journal', lines: [['6420', '124.00', 'standard', 'CC:110']] } as const;
const invoiceOf = (number: string) => ({
  method: 'accounts_payable' as const,
  vendor: 'printer' as const,
  invoice: [number, '2026-11-01', '2026-11-30'] as const,
});
const invoice = (number: string, amount: string) =>
  ({ type: 'invoice', lines: [['5030', amount, null, 'CC:110']], ...invoiceOf(number) }) as const;
const payment = (number: string, amount: string) =>
  ({ type: 'invoice_payment', lines: [[null, amount]], ...invoiceOf(number) }) as const;

describe('an entry that is reversed in the ERP and exported again', () => {
  it('27: is posted as a second revision, with a warning that names both entries', async () => {
    const item = await added(MEAL);
    expect(await exported(item)).toMatchObject({ state: 'successful', warnings: [] });
    const { original, reversal } = await reversedByHand(item);
    const result = await exported(item);
    expect(result.state).toBe('successful');
    expect(await booksOf(item)).toEqual([
      'entry reversed: 6420 10000 · 1510 2400 · 1130 -12400',
      'reversal posted: 6420 -10000 · 1510 -2400 · 1130 12400',
      'entry posted: 6420 10000 · 1510 2400 · 1130 -12400',
    ]);
    const again = (await entriesOf(item))[2]?.number ?? '';
    expect(result.warnings).toEqual([
      `This entry was posted before as ${original}, which was reversed in the accounting system by ${reversal} on 2026-11-10. It was posted again as ${again}.`,
    ]);
    const books = await booksOf(item);
    expect(await exported(item)).toMatchObject({ state: 'successful', warnings: [] });
    expect(await booksOf(item)).toEqual(books);
  });

  it('28: fails where the policy says so, and the reason names the entry and its reversal', async () => {
    await withPolicies({ reversedInErp: 'fail' });
    const item = await added(MEAL);
    await exported(item);
    const { original, reversal } = await reversedByHand(item);
    const result = await exported(item);
    expect(result.state).toBe('failed');
    expect(result.failureReason).toContain(
      `${original}, which was reversed in the accounting system by ${reversal} on 2026-11-10`,
    );
    expect(await booksOf(item)).toHaveLength(2);
    await withPolicies({});
  });
});

describe('open items', () => {
  it('29: a payment before a smaller invoice', async () => {
    await exported(await added(payment('A-29', '625.00')));
    const result = await exported(await added(invoice('A-29', '600.00')));
    expect(result.warnings).toEqual([expect.stringMatching(/^25\.00 EUR of payment A-29 of vendor .+ are open\.$/)]);
  });

  it('30: a paid invoice becomes smaller', async () => {
    await withPolicies({ conflicts: 'reverse-and-repost' });
    const item = await added(invoice('A-30', '625.00'));
    await exported(item);
    await exported(await added(payment('A-30', '625.00')));
    const amount = { currency: 'EUR', value: 60_000 };
    const dual = { inSupplierCurrency: amount, inWalletCurrency: amount };
    const [line] = item.accountingEntryLines;
    const smaller = { ...item, amount: dual, accountingEntryLines: [{ ...line, lineAmount: dual, netAmount: dual }] };
    await changed(smaller as ExportItem);
    const result = await exported(smaller as ExportItem);
    expect(result.state).toBe('successful');
    expect(result.warnings.slice(1)).toEqual([
      expect.stringMatching(/^25\.00 EUR of payment A-30 of vendor .+ are open\.$/),
    ]);
    await withPolicies({});
  });

  it('32: a credit note settles the invoice of its number, and the rest is reported', async () => {
    await exported(await added(invoice('F-32', '100.00')));
    const result = await exported(await added(invoice('F-32', '-150.00')));
    expect(result.warnings).toEqual([expect.stringMatching(/^50\.00 EUR of the credit note stay open on vendor /)]);
  });
});

it('33: both documents of a card invoice carry the supplier’s number and date', async () => {
  const method = 'accounts_payable';
  const lines = [['5030', '99.00', null, 'CC:110']] as const;
  const document = ['K-33', '2026-11-01', '2026-11-30'] as const;
  const item = await added({ type: 'card_invoice', method, vendor: 'printer', lines, invoice: document });
  await exported(item);
  const entries = await entriesOf(item);
  expect(entries.map(({ role, documentNumber, documentDate }) => [role, documentNumber, documentDate])).toEqual([
    ['invoice', 'K-33', '2026-11-01'],
    ['payment', 'K-33', '2026-11-01'],
  ]);
});

it('34: a reimbursement that names an unknown vendor creates none', async () => {
  const vendor = { id: demoPeople.liis.id, name: 'Nobody knows', code: 'V-X', defaultCurrency: 'EUR' };
  const lines = [[null, '80.00']] as const;
  const item = await added({ type: 'direct_reimbursement', method: 'accounts_payable', lines }, { vendor });
  expect(await exported(item)).toMatchObject({ state: 'successful' });
  expect(await booksOf(item)).toEqual(['payment posted: 2310 8000 · 1130 -8000']);
  expect(await programs.ledgerText(`${ledgerPath}/vendors?limit=500`)).not.toContain('Nobody knows');
});

it('35: another employee is a change of the content', async () => {
  const lines = [['6420', '80.00', null, 'CC:110']] as const;
  const item = await added({ type: 'out_of_pocket', method: 'journal', lines });
  await exported(item);
  const { id, firstName, lastName, code } = demoPeople.rasmus;
  const moved = { ...item, user: { id, name: `${firstName} ${lastName}`, code } };
  await changed(moved);
  const result = await exported(moved);
  expect(result).toMatchObject({ state: 'failed' });
  expect(result.failureReason).toContain('is in the books already');
});

it('31: a payment from another payable account is settled by a transfer', async () => {
  const bought = await added(invoice('A-31', '1000.00'));
  await exported(bought);
  const vendors = await programs.clients.ledger.read(
    `${ledgerPath}/vendors?limit=500`,
    z.object({ data: z.array(z.looseObject({ number: z.string(), name: z.string() })) }),
  );
  const printer = vendors.data.find(({ name }) => name.startsWith('Paberi ja Tindi'));
  const { number = '', name = '' } = printer ?? {};
  const moved = { number, name, country: 'EE', defaultCurrency: 'EUR', payableAccountCode: '2115' };
  await programs.clients.ledger.put(`${ledgerPath}/vendors`, { json: { data: [moved] } });
  const paid = await added(payment('A-31', '1000.00'));
  expect(await exported(paid)).toMatchObject({ state: 'successful', warnings: [] });
  expect(await booksOf(paid)).toEqual([
    `payment posted: 2115·${number} 100000 · 1130 -100000`,
    `transfer posted: 2110·${number} 100000 · 2115·${number} -100000`,
  ]);
});

const vatSchema = z.object({
  codes: z.array(
    z.object({
      ...{ taxCode: z.string().nullable(), baseMinor: z.string(), taxMinor: z.string() },
      ...{ deductibleMinor: z.string(), nonDeductibleMinor: z.string(), outputMinor: z.string() },
    }),
  ),
  control: z.object({ differenceMinor: z.string() }),
});

/** Base, tax, deductible, not deductible and output tax of a code, in minor units. */
async function vatOf(code: string): Promise<readonly number[]> {
  const report = await programs.clients.ledger.read(
    `${ledgerPath}/vat-report?from=2026-11-01&to=2026-11-30`,
    vatSchema,
  );
  expect(report.control.differenceMinor).toBe('0');
  const row = report.codes.find(({ taxCode }) => taxCode === code);
  return row === undefined
    ? [0, 0, 0, 0, 0]
    : [row.baseMinor, row.taxMinor, row.deductibleMinor, row.nonDeductibleMinor, row.outputMinor].map(Number);
}

it.each([
  ['1: in full', 'EE24', 'standard', [10_000, 2_400, 2_400, 0, 0]],
  ['36: a share of one half', 'EE24H', 'half', [10_000, 2_400, 1_200, 1_200, 0]],
] as const)('a purchase is in the VAT report: %s', async (_, code, tax, added24) => {
  const before = await vatOf(code);
  const item = await added({ ...MEAL, lines: [['6420', '124.00', tax, 'CC:110']] });
  expect(await exported(item)).toMatchObject({ state: 'successful' });
  const after = await vatOf(code);
  expect(after.map((minor, index) => minor - (before[index] ?? 0))).toEqual(added24);
});

it('an entry with more lines than the ledger accepts becomes several balanced entries', async () => {
  const lines = Array.from({ length: 620 }, () => ['6420', '1.00', null, 'CC:110'] as const);
  const item = await added({ type: 'card_purchase', method: 'journal', lines });
  // Each hundred lines take the numbers of another entry.
  next += 7;
  expect(await exported(item)).toMatchObject({ state: 'successful', warnings: [] });
  const entries = await entriesOf(item);
  const sums = entries.map((entry) => {
    const sumOf = (account: string) =>
      entry.lines
        .filter(({ accountCode }) => accountCode === account)
        .reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n);
    return { lines: entry.lines.length, expense: sumOf('6420'), wallet: sumOf('1130') };
  });
  expect(sums).toEqual([
    { lines: 500, expense: 49_900n, wallet: -49_900n },
    { lines: 122, expense: 12_100n, wallet: -12_100n },
  ]);
});

it('the audit chain of the books is intact', async () => {
  const chain = await programs.clients.ledger.read(`${ledgerPath}/audit-chain`, z.looseObject({ intact: z.boolean() }));
  expect(chain.intact).toBe(true);
});
