import type { DemoCustomer } from './demo-customers.js';
import type { ProgramClient } from './program-client.js';

/**
 * Enters a company and its reference data. Each write replaces what has the same key, so that an interrupted run is simply
 * repeated.
 *
 * @throws Permanent when the ledger refuses something; NoResponse.
 */
export async function seedLedger(ledger: ProgramClient, customer: DemoCustomer): Promise<void> {
  const { ledgerId, name, registrationNumber, functionalCurrency, timeZone, country } = customer.company;
  const company = `/companies/${ledgerId}`;
  await ledger.put(company, { json: { name, registrationNumber, functionalCurrency, timeZone, country } });
  for (const [path, data] of customer.lists) {
    await ledger.put(`${company}/${path}`, { json: { data } });
  }
}
