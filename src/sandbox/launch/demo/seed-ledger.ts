import { demoAccounts, demoDimensions, demoDimensionValues, demoTaxCodes } from './demo-chart.js';
import { demoPeriods, demoRates } from './items/demo-calendar.js';
import { demoCompany } from './demo-company.js';
import { demoVendors } from './demo-vendors.js';
import type { ProgramClient } from './program-client.js';

/**
 * Enters the demo company and its reference data. Each write replaces what has the same key, so that an interrupted run is
 * simply repeated.
 *
 * @throws Permanent when the ledger refuses something; NoResponse.
 */
export async function seedLedger(ledger: ProgramClient): Promise<void> {
  const { ledgerId, name, registrationNumber, functionalCurrency, timeZone, country } = demoCompany;
  const company = `/companies/${ledgerId}`;
  await ledger.put(company, { json: { name, registrationNumber, functionalCurrency, timeZone, country } });
  // Tax codes and vendors name accounts, values name dimensions: those come first.
  const lists: readonly (readonly [path: string, data: readonly object[]])[] = [
    ['periods', demoPeriods],
    ['accounts', demoAccounts],
    ['tax-codes', demoTaxCodes],
    ['dimensions', demoDimensions],
    ['dimension-values', demoDimensionValues],
    ['vendors', demoVendors],
    ['exchange-rates', demoRates],
  ];
  for (const [path, data] of lists) {
    await ledger.put(`${company}/${path}`, { json: { data } });
  }
}
