import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { demoAccounts } from '../../../../src/sandbox/launch/demo/demo-chart.js';
import { demoCompany } from '../../../../src/sandbox/launch/demo/demo-company.js';
import type { DemoEntry } from '../../../../src/sandbox/launch/demo/items/demo-entry.js';
import { exportItemOf, type ExportItem } from '../../../../src/sandbox/launch/demo/items/export-item.js';
import { POSTING } from '../faults.js';
import type { Outcome, Prepared, Scenario } from '../scenario.js';
import { difference, type World } from '../world.js';
import { checkExport, findJob, isOver, uncertified, type Export } from './export-invariants.js';

/** Above the numbers of all other tests. */
const FIRST_NUMBER = 1_000_000;
const vendorSchema = z.object({ id: z.string() });
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');

let lastNumber = FIRST_NUMBER;
/** What an entry was made of. */
const numberOf = new Map<string, number>();

export const one: Scenario = (world) =>
  Promise.resolve({ begin: async () => outcomeOf(world, await exportItems(world, [purchase()])) });

export const five: Scenario = (world) =>
  Promise.resolve({ begin: async () => outcomeOf(world, await exportFive(world)) });

export const sixty: Scenario = (world) =>
  Promise.resolve({
    begin: async () => {
      const items = Array.from({ length: 60 }, () => purchase());
      return outcomeOf(world, await exportItems(world, items));
    },
  });

/** Goes to the books in parts: the first page of the platform's list by itself, then what has come meanwhile. */
export const parts: Scenario = (world) => {
  let posts = 0;
  return Promise.resolve({
    takenAgainS: 60,
    intervene: (name) => {
      posts += name === POSTING ? 1 : 0;
      return Promise.resolve(undefined);
    },
    begin: async () => {
      const items = Array.from({ length: 250 }, () => purchase());
      const outcome = await outcomeOf(world, await exportItems(world, items));
      const isInParts = () => difference('whether it was posted in parts', posts > 1, true);
      return { ...outcome, check: async () => [...(await outcome.check()), ...isInParts()] };
    },
  } satisfies Prepared);
};

/** Saved anew without a change. */
export const again: Scenario = async (world) => {
  const id = await exportOne(world);
  return { begin: async () => outcomeOf(world, await exportAnew(world, id, '6420')) };
};

/** Saved anew with a change. */
export const changed: Scenario = async (world) => {
  const id = await exportOne(world);
  return { begin: async () => outcomeOf(world, { ...(await exportAnew(world, id, '6440')), reversed: 1 }) };
};

/** @returns what has to come of the newest job of the export, whatever happens on the way */
export async function outcomeOf(
  world: World,
  exported: Export,
  installationId = world.installationId,
): Promise<Outcome> {
  const { database } = world;
  const jobId = (await findJob(database, exported.posted[0] ?? '')) ?? '';
  return {
    isQuiet: () => isOver(database, { id: jobId, installationId }),
    check: () => checkExport(database, exported, jobId, world.variant.erp),
    later: () => uncertified(database, exported, jobId),
  };
}

/** Exports an item, undisturbed. @returns the id of its entry */
export async function exportOne(world: World): Promise<string> {
  const item = purchase();
  const outcome = await outcomeOf(world, await exportItems(world, [item]));
  await world.until('the export before', outcome.isQuiet);
  return item.accountingEntryId;
}

/** One fails, one has a receipt, one is of a vendor that the books do not know. */
async function exportFive(world: World): Promise<Export> {
  const { simulator } = world.programs.clients;
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
  return exportItems(world, items, {
    failing: [failing.accountingEntryId],
    receiptOf: withReceipt.accountingEntryId,
    vendor: { id, name },
  });
}

async function exportAnew(world: World, id: string, account: string): Promise<Export> {
  const item = { ...purchase(account, numberOf.get(id)), accountingEntryId: id };
  await world.programs.clients.simulator.put(`/control/items/${id}`, { json: item });
  return exportWaiting(world, [id]);
}

/** Adds items of a company and exports these alone: what failed in an earlier round waits for its next export. */
export async function exportItems(
  world: World,
  items: readonly ExportItem[],
  more: Partial<Export> = {},
  companyId: string = demoCompany.id,
): Promise<Export> {
  const { simulator } = world.programs.clients;
  await simulator.post(`/control/companies/${companyId}/items`, items);
  if (more.receiptOf !== undefined) {
    const files = [{ name: `${randomUUID()}.pdf`, type: 'application/pdf', content: PDF }];
    await simulator.post(`/control/items/${more.receiptOf}/files`, files);
  }
  return exportWaiting(
    world,
    items.map(({ accountingEntryId }) => accountingEntryId),
    more,
    companyId,
  );
}

async function exportWaiting(
  world: World,
  accountingEntryIds: readonly string[],
  more: Partial<Export> = {},
  companyId: string = demoCompany.id,
): Promise<Export> {
  const { simulator } = world.programs.clients;
  await simulator.post(`/control/companies/${companyId}/export`, {
    accountingEntryIds,
    vendorBasedBookkeeping: true,
  });
  const failing = more.failing ?? [];
  const posted = accountingEntryIds.filter((id) => !failing.includes(id));
  return { ...more, posted, failing };
}

/** A purchase that the books take, of the demo company or of another with the same accounts. */
export function purchase(account = '6420', number = nextNumber(), companyId: string = demoCompany.id): ExportItem {
  const owner = { companyId, accounts: demoAccounts };
  const item = exportItemOf(entryOf('card_purchase', account, { method: 'journal' }), number, owner);
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
