// The outcome of an export: the items from the connector, the books from the ledger.
import { z } from 'zod';
import type { DemoCustomer } from './demo-customers.js';
import type { DemoOutcome, FailedItem, Totals } from './demo-outcome.js';
import type { DemoItem } from './items/demo-items.js';
import type { ExportJob } from './trigger-export.js';
import type { ProgramClient } from './program-client.js';

const itemsSchema = z.object({
  data: z.array(
    z.object({
      accountingEntryId: z.string(),
      state: z.string(),
      failureType: z.string().nullable(),
      failureReason: z.string().nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
const totalsSchema = z.object({ currency: z.string(), debitMinor: z.string(), creditMinor: z.string() });
const trialBalanceSchema = z.object({
  entries: z.number(),
  rows: z.array(
    totalsSchema.extend({
      accountCode: z.string(),
      accountName: z.string(),
      balanceMinor: z.string(),
      baseBalanceMinor: z.string(),
    }),
  ),
  totals: z.array(totalsSchema),
  baseTotal: totalsSchema,
});

type ItemResult = z.output<typeof itemsSchema>['data'][number];

const PAGE_SIZE = 100;
type ItemsById = ReadonlyMap<string, DemoItem>;

/**
 * @param ledger undefined: the books are somewhere else, which may lack what the ledger has
 * @throws Permanent when a response is not as expected; NoResponse.
 */
export async function readOutcome(
  connector: ProgramClient,
  job: ExportJob,
  customer: DemoCustomer,
  ledger: ProgramClient | undefined,
): Promise<DemoOutcome> {
  const known = new Map(customer.items.map((each) => [each.item.accountingEntryId, each]));
  const results = await readItems(connector, job.id);
  const books = ledger && (await readBooks(ledger, customer));
  const items = results.filter(({ state }) => state === 'failed').map((result) => failedItem(result, known));
  const { id, state: status, numberOfItems, successful, failed } = job;
  return {
    company: customer.company.name,
    exportJob: { id, status, numberOfItems, successful, failed },
    posted: countByType(
      results.filter(({ state }) => state === 'successful'),
      known,
    ),
    items,
    ledger: books,
    asIntended:
      status === (failed > 0 ? 'completed_with_errors' : 'completed') &&
      successful + failed === customer.items.length &&
      (books === undefined ||
        (areIntended(items, customer) && [...Object.values(books.trialBalance), books.functional].every(isBalanced))),
  };
}

async function readBooks(ledger: ProgramClient, { company }: DemoCustomer): Promise<DemoOutcome['ledger']> {
  const path = `/companies/${company.ledgerId}/trial-balance`;
  const { entries, rows, totals, baseTotal } = await ledger.read(path, trialBalanceSchema);
  return {
    entries,
    trialBalance: Object.fromEntries(
      totals.map(({ currency, debitMinor, creditMinor }) => [currency, { debitMinor, creditMinor }]),
    ),
    functional: baseTotal,
    accounts: rows,
  };
}

async function readItems(connector: ProgramClient, jobId: string): Promise<readonly ItemResult[]> {
  const results: ItemResult[] = [];
  let after: string | null = '';
  while (after !== null) {
    const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const page: z.output<typeof itemsSchema> = await connector.read(
      `/api/v1/jobs/${jobId}/items?limit=${PAGE_SIZE.toString()}${cursor}`,
      itemsSchema,
    );
    results.push(...page.data);
    after = page.nextCursor;
  }
  return results;
}

function failedItem({ accountingEntryId, failureType, failureReason }: ItemResult, known: ItemsById): FailedItem {
  const entry = known.get(accountingEntryId)?.entry;
  return {
    accountingEntryId,
    type: entry?.type ?? 'unknown',
    subject: entry === undefined ? accountingEntryId : subjectOf(entry),
    failureType: failureType ?? '',
    reason: failureReason ?? '',
    intended: entry?.failsWith,
  };
}

function subjectOf({ supplier, note, at }: DemoItem['entry']): string {
  return [supplier, note, at.slice(0, 10)].filter((part) => part !== null).join(', ');
}

function countByType(results: readonly ItemResult[], known: ItemsById): DemoOutcome['posted'] {
  const counts = new Map<string, number>();
  for (const { accountingEntryId } of results) {
    const type = known.get(accountingEntryId)?.entry.type ?? 'unknown';
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts].map(([type, items]) => ({ type, items })).toSorted((a, b) => b.items - a.items);
}

function areIntended(items: readonly FailedItem[], customer: DemoCustomer): boolean {
  const built = customer.items.filter(({ entry }) => entry.failsWith !== undefined).length;
  return items.length === built && items.every(({ failureType, intended }) => failureType === intended);
}

function isBalanced({ debitMinor, creditMinor }: Totals): boolean {
  return BigInt(debitMinor) === BigInt(creditMinor);
}
