import { z } from 'zod';
import { accountIdentifier, demoAccounts } from './demo-chart.js';
import { demoCompany, demoPeople, demoWallets } from './demo-company.js';
import { demoId } from './items/demo-id.js';
import { demoItems } from './items/demo-items.js';
import { demoReceipts } from './items/demo-receipts.js';
import type { ProgramClient } from './program-client.js';

const companiesSchema = z.array(z.object({ id: z.string() }));
const ITEMS_EXIST = 409;

/** Whether an earlier run has made the demo company on the platform. */
export async function isPlatformSeeded(simulator: ProgramClient): Promise<boolean> {
  const companies = await simulator.read('/control/companies', companiesSchema);
  return companies.some(({ id }) => id === demoCompany.id);
}

/**
 * Makes the company with the registration number that it has in the ledger, its wallets and its people.
 *
 * @throws Permanent when the platform refuses something; NoResponse.
 */
export async function seedPlatform(simulator: ProgramClient): Promise<void> {
  const { id, name, registrationNumber, timeZone, address } = demoCompany;
  const contraAccounts = Object.fromEntries(
    demoWallets.map((wallet, index) => [wallet.currency, contraAccount(wallet.account, index + 1)]),
  );
  const company = { id, name, registrationNumber, timeZone, address, multiCurrency: true, contraAccounts };
  await simulator.post('/control/companies', company);
  for (const person of Object.values(demoPeople)) {
    const email = `${person.firstName}.${person.lastName}@saltholm.example`.toLowerCase();
    await simulator.post(`/control/companies/${id}/employees`, { ...person, email });
  }
}

/** Adds what the company has spent, some of it with receipts; does nothing when an earlier run has. */
export async function addItems(simulator: ProgramClient): Promise<void> {
  const items = demoItems.map(({ item }) => item);
  const added = await simulator.post(`/control/companies/${demoCompany.id}/items?documented_only=true`, items, [
    ITEMS_EXIST,
  ]);
  if (added.status === ITEMS_EXIST) {
    return;
  }
  for (const { itemId, files } of demoReceipts) {
    await simulator.post(`/control/items/${itemId}/files`, files);
  }
}

function contraAccount(code: string, number: number) {
  const name = demoAccounts.find((account) => account.code === code)?.name;
  return { id: demoId('wallet', number), name, code, identifier: accountIdentifier(code) };
}
