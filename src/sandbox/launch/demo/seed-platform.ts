import { z } from 'zod';
import { accountIdentifier } from './demo-chart.js';
import type { DemoCustomer } from './demo-customers.js';
import { demoId } from './items/demo-id.js';
import type { ProgramClient } from './program-client.js';

const companiesSchema = z.array(z.object({ id: z.string() }));
const ITEMS_EXIST = 409;

/** Whether an earlier run has made the company on the platform. */
export async function isPlatformSeeded(simulator: ProgramClient, { company }: DemoCustomer): Promise<boolean> {
  const companies = await simulator.read('/control/companies', companiesSchema);
  return companies.some(({ id }) => id === company.id);
}

/**
 * Makes the company, its wallets, its people and its vendors.
 *
 * @throws Permanent when the platform refuses something; NoResponse.
 */
export async function seedPlatform(simulator: ProgramClient, customer: DemoCustomer): Promise<void> {
  const { id, name, registrationNumber, timeZone, address } = customer.company;
  const { wallets } = customer;
  const contraAccounts = Object.fromEntries(
    wallets.map((wallet) => [wallet.currency, contraAccount(wallet.account, customer)]),
  );
  const multiCurrency = wallets.length > 1;
  const company = { id, name, registrationNumber, timeZone, address, multiCurrency, contraAccounts };
  await simulator.post('/control/companies', company);
  for (const person of customer.people) {
    const email = `${person.firstName}.${person.lastName}@${customer.emailDomain}`.toLowerCase();
    await simulator.post(`/control/companies/${id}/employees`, { ...person, email });
  }
  if (customer.platformVendors.length > 0) {
    await simulator.post(`/control/companies/${id}/vendors`, customer.platformVendors);
  }
}

/** Adds what the company has spent, some of it with receipts; does nothing when an earlier run has. */
export async function addItems(simulator: ProgramClient, customer: DemoCustomer): Promise<void> {
  const items = customer.items.map(({ item }) => item);
  const path = `/control/companies/${customer.company.id}/items?documented_only=true`;
  const added = await simulator.post(path, items, [ITEMS_EXIST]);
  if (added.status === ITEMS_EXIST) {
    return;
  }
  for (const { itemId, files } of customer.receipts) {
    await simulator.post(`/control/items/${itemId}/files`, files);
  }
}

function contraAccount(code: string, { accounts }: DemoCustomer) {
  const name = accounts.find((account) => account.code === code)?.name;
  return { id: demoId('wallet', Number(code)), name, code, identifier: accountIdentifier(code) };
}
