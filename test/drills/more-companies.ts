import { connectCompany } from '../../src/sandbox/launch/demo/connect-company.js';
import { firstCustomer, type DemoCustomer } from '../../src/sandbox/launch/demo/demo-customers.js';
import type { DemoEntry } from '../../src/sandbox/launch/demo/items/demo-entry.js';
import { exportItemOf, type ExportItem } from '../../src/sandbox/launch/demo/items/export-item.js';
import { ProgramClient } from '../../src/sandbox/launch/demo/program-client.js';
import { seedLedger } from '../../src/sandbox/launch/demo/seed-ledger.js';
import { seedPlatform } from '../../src/sandbox/launch/demo/seed-platform.js';
import { setUpCompany, type RunningPrograms } from '../support/running-programs.js';

/** Above the numbers of all other tests. */
const FIRST_NUMBER = 2_000_000;
const FIRST_REGISTRATION_NUMBER = 30_000_000;

/** @returns so many companies like that of the demo, connected and ready to export */
export async function connectMore(programs: RunningPrograms, count: number): Promise<readonly DemoCustomer[]> {
  const operator = new ProgramClient('connector', programs.operator.url, programs.operator.token);
  const addresses = {
    connectorUrl: programs.operator.url,
    simulatorUrl: programs.connectorEnvironment['PLATFORM_API_URL'] ?? '',
  };
  const customers = Array.from({ length: count }, (_, index) => customerOf(index + 1));
  for (const customer of customers) {
    await seedLedger(programs.clients.ledger, customer);
    await seedPlatform(programs.clients.simulator, customer);
    const installationId = await connectCompany(addresses, operator, programs.clock, customer);
    await setUpCompany(programs.operator, installationId, customer);
  }
  operator.close();
  return customers;
}

/**
 * A card purchase of the company, which makes one journal entry.
 * @param number from 1, never the same again
 * @param account by its code; `6475` is one that is no good
 */
export function purchaseOf({ company, accounts }: DemoCustomer, number: number, account = '6420'): ExportItem {
  const lines: DemoEntry['lines'] = [[account, '112.35', 'standard', 'CC:110']];
  const at = '2026-10-02T14:37';
  return exportItemOf(
    { type: 'card_purchase', at, by: 'liis', supplier: 'Paper shop', note: 'Paper', method: 'journal', lines },
    FIRST_NUMBER + number,
    { companyId: company.id, accounts },
  );
}

/**
 * A company like the first of the demo, with ids of its own.
 * @param number from 1
 */
export function customerOf(number: number): DemoCustomer {
  const id = (kind: number) => `fa017000-000${kind.toString()}-4000-8000-${number.toString(16).padStart(12, '0')}`;
  const [person] = firstCustomer.people;
  return {
    ...firstCustomer,
    company: {
      ...firstCustomer.company,
      id: id(1),
      ledgerId: id(2),
      registrationNumber: (FIRST_REGISTRATION_NUMBER + number).toString(),
    },
    people: [{ ...person, id: id(3) }],
    emailDomain: `company-${number.toString()}.example`,
    // Their ids are those of the first company; what these companies buy names no vendor.
    platformVendors: [],
  };
}
