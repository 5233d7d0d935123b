// Runs the contract against the ledger's adapter, or against the harness module that run.mjs was given.
import { jest } from '@jest/globals';
import type { HarnessModule } from './harness.js';
import { erpContract } from './suite/erp-contract.js';

const given = process.env['ERP_CONTRACT_HARNESS'];
const module = (
  given === undefined ? await import('./ledger-harness.js') : await import(given)
) as Partial<HarnessModule>;
const { harnesses = [] } = module;

if (harnesses.length === 0) {
  throw new Error(`${given ?? ''} exports no "harnesses"; test/contract/erp-ledger/harness.ts says what they are`);
}
const lags = harnesses.map(({ capability }) =>
  capability.level === 'searchable-reference' ? capability.searchLagMs : 0,
);
// A clause waits for the search a few times at most.
jest.setTimeout(120_000 + 10 * Math.max(...lags));
harnesses.forEach(erpContract);
