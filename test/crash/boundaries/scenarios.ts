import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { demoCompany } from '../../../src/sandbox/launch/demo/demo-company.js';
import type { DemoEntry } from '../../../src/sandbox/launch/demo/items/demo-entry.js';
import { exportItemOf } from '../../../src/sandbox/launch/demo/items/export-item.js';
import type { RunningPrograms } from '../../support/running-programs.js';

/** What one round exports, and what has to come of it. */
export interface Export {
  readonly posted: readonly string[];
  readonly failing: readonly string[];
  readonly receiptOf?: string;
  /** How many entries of each were taken back before; 0 where nothing is said. */
  readonly reversed?: number;
  /** On the platform; not in the books before. */
  readonly vendor?: { readonly id: string; readonly name: string };
}

interface Scenario {
  /** What the customer has exported before, undisturbed. */
  readonly before?: (programs: RunningPrograms) => Promise<Export>;
  readonly run: (programs: RunningPrograms, before: Export | undefined) => Promise<Export>;
}

export type ScenarioName = 'one' | 'five' | 'sixty' | 'again' | 'changed';

/** Above the numbers of all other tests. */
const FIRST_NUMBER = 1_000_000;
const vendorSchema = z.object({ id: z.string() });
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');

let lastNumber = FIRST_NUMBER;
/** What an entry was made of. */
const numberOf = new Map<string, number>();

const one = (programs: RunningPrograms) => exportItems(programs, [purchase()]);

export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  one: { run: one },
  five: { run: five },
  sixty: {
    run: (programs) =>
      exportItems(
        programs,
        Array.from({ length: 60 }, () => purchase()),
      ),
  },
  // Saved anew without a change, and with one.
  again: { before: one, run: (programs, before) => exportAnew(programs, before, '6420') },
  changed: {
    before: one,
    run: async (programs, before) => ({ ...(await exportAnew(programs, before, '6440')), reversed: 1 }),
  },
};

/** One fails, one has a receipt, one is of a vendor that the books do not know. */
async function five(programs: RunningPrograms): Promise<Export> {
  const { simulator } = programs.clients;
  lastNumber += 1;
  const name = `Studija ${lastNumber.toString()} SIA`;
  const country = 'LV';
  const path = `/control/companies/${demoCompany.id}/draft-vendors`;
  const answer = await simulator.post(path, { name, defaultCurrency: 'EUR', country });
  const { id } = simulator.parse(vendorSchema, answer, path);
  const invoice = {
    ...exportItemOf(
      entryOf('invoice', '6420', {
        method: 'accounts_payable',
        invoice: [`I-${lastNumber.toString()}`, '2026-10-01', '2026-10-15'],
      }),
      nextNumber(),
    ),
    vendor: { id, name, defaultCurrency: 'EUR', country },
  };
  const withReceipt = purchase();
  const failing = purchase('6475');
  const items = [withReceipt, purchase(), failing, invoice, purchase()];
  return exportItems(programs, items, {
    failing: [failing.accountingEntryId],
    receiptOf: withReceipt.accountingEntryId,
    vendor: { id, name },
  });
}

async function exportAnew(programs: RunningPrograms, before: Export | undefined, account: string): Promise<Export> {
  const id = before?.posted[0] ?? '';
  const item = { ...purchase(account, numberOf.get(id)), accountingEntryId: id };
  await programs.clients.simulator.put(`/control/items/${id}`, { json: item });
  return exportWaiting(programs, [id]);
}

async function exportItems(
  programs: RunningPrograms,
  items: readonly ReturnType<typeof exportItemOf>[],
  more: Partial<Export> = {},
): Promise<Export> {
  const { simulator } = programs.clients;
  await simulator.post(`/control/companies/${demoCompany.id}/items`, items);
  if (more.receiptOf !== undefined) {
    const files = [{ name: `${randomUUID()}.pdf`, type: 'application/pdf', content: PDF }];
    await simulator.post(`/control/items/${more.receiptOf}/files`, files);
  }
  // These alone: what failed in an earlier round waits for its next export.
  return exportWaiting(
    programs,
    items.map(({ accountingEntryId }) => accountingEntryId),
    more,
  );
}

async function exportWaiting(
  programs: RunningPrograms,
  accountingEntryIds: readonly string[],
  more: Partial<Export> = {},
): Promise<Export> {
  const { simulator } = programs.clients;
  await simulator.post(`/control/companies/${demoCompany.id}/export`, {
    accountingEntryIds,
    vendorBasedBookkeeping: true,
  });
  const failing = more.failing ?? [];
  const posted = accountingEntryIds.filter((id) => !failing.includes(id));
  return { ...more, posted, failing };
}

function purchase(account = '6420', number = nextNumber()) {
  const item = exportItemOf(entryOf('card_purchase', account, { method: 'journal' }), number);
  numberOf.set(item.accountingEntryId, number);
  return item;
}

function entryOf(type: 'card_purchase' | 'invoice', account: string, details: Partial<DemoEntry>): DemoEntry {
  return {
    type,
    at: '2026-10-02T14:37',
    by: 'liis',
    supplier: type === 'invoice' ? null : 'Paper shop',
    note: 'Paper',
    lines: [[account, '112.35', 'standard', 'CC:110']],
    ...details,
  };
}

function nextNumber(): number {
  lastNumber += 1;
  return lastNumber;
}
