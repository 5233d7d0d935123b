import { beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { demoCompany } from '../../src/sandbox/launch/demo/demo-company.js';
import { demoReceipts } from '../../src/sandbox/launch/demo/items/demo-receipts.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';

// What an auditor compares: the same books, shown by different reports.

const PATH = `/companies/${demoCompany.ledgerId}`;
const minor = z.string().transform(BigInt);

const trialBalanceSchema = z.object({
  rows: z.array(
    z.object({ accountCode: z.string(), currency: z.string(), balanceMinor: minor, baseBalanceMinor: minor }),
  ),
});
const ageingSchema = z.object({ totals: z.array(z.object({ total: z.object({ baseMinor: minor }) })) });
const entriesSchema = z.object({
  data: z.array(
    z.object({
      lines: z.array(z.object({ accountCode: z.string(), baseMinor: minor, vendorNumber: z.string().nullable() })),
    }),
  ),
  nextCursor: z.null(),
});
const auditSchema = z.object({ entries: z.number(), intact: z.boolean(), firstBroken: z.unknown() });
const idsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const attachmentsSchema = z.object({ data: z.array(z.object({ fileName: z.string() })) });

const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
let trialBalance: z.output<typeof trialBalanceSchema>;

beforeAll(async () => {
  await triggerExport(programs.clients.simulator);
  await programs.verdict();
  trialBalance = await programs.clients.ledger.read(`${PATH}/trial-balance`, trialBalanceSchema);
});

function sums(parts: readonly (readonly [key: string, minor: bigint])[]): Record<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const [key, amount] of parts) {
    totals.set(key, (totals.get(key) ?? 0n) + amount);
  }
  return Object.fromEntries([...totals].filter(([, total]) => total !== 0n).toSorted());
}

it('the ageing of payables equals the balance of the vendor lines, and the trial balance that of all lines', async () => {
  const { ledger } = programs.clients;
  const { data } = await ledger.read(`${PATH}/journal-entries?limit=1000&state=posted`, entriesSchema);
  const lines = data.flatMap((entry) => entry.lines);
  const owed = lines.filter((line) => line.vendorNumber !== null).reduce((sum, line) => sum + line.baseMinor, 0n);
  const { totals } = await ledger.read(`${PATH}/ap-ageing?date=2099-12-31`, ageingSchema);
  expect(owed).not.toBe(0n);
  expect(totals.reduce((sum, { total }) => sum + total.baseMinor, 0n)).toBe(owed);
  expect(sums(trialBalance.rows.map((row) => [row.accountCode, row.baseBalanceMinor]))).toEqual(
    sums(lines.map((line) => [line.accountCode, line.baseMinor])),
  );
});

// Postings of the demo company's accounts, whose codes are digits.
const POSTING = /^ {2}\w+:A(\d+) {2}(-?[\d.]+) EUR$/gm;

it('the Beancount export has the balances of the trial balance', async () => {
  const text = await programs.ledgerText(`${PATH}/beancount?amounts=functional`);
  const postings = [...text.matchAll(POSTING)].map(
    ([, account = '', amount = '']) => [account, BigInt(amount.replace('.', ''))] as const,
  );
  expect(sums(postings)).toEqual(sums(trialBalance.rows.map((row) => [row.accountCode, row.baseBalanceMinor])));
});

it('the audit chain is intact over all posted entries', async () => {
  const audit = await programs.clients.ledger.read(`${PATH}/audit-chain`, auditSchema);
  // 154 entries of the export and one that the ledger wrote itself: a realized exchange difference.
  expect(audit).toEqual({ entries: 155, intact: true, firstBroken: null });
});

it('receipts are transferred from the platform to their entries', async () => {
  const { ledger } = programs.clients;
  const behind: string[] = [];
  for (const { itemId } of demoReceipts) {
    const [entry] = (await ledger.read(`${PATH}/journal-entries?keyPrefix=${itemId}`, idsSchema)).data;
    const path = `${PATH}/journal-entries/${entry?.id ?? ''}/attachments`;
    const { data } = await ledger.read(path, attachmentsSchema);
    behind.push(...data.map(({ fileName }) => fileName));
  }
  expect(behind).toEqual(demoReceipts.flatMap(({ files }) => files.map(({ name }) => name)));
});
