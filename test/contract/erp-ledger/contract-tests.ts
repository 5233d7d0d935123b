// The clauses of the contract of ERP adapters as tests.
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { contractClauses } from '../../../src/erp-contract/contract-clauses.js';
import type { ErpHarness } from '../../../src/erp-contract/harness.js';

export function contractTests(harness: ErpHarness): void {
  const { title, contract, clauses } = contractClauses(harness);
  describe(title, () => {
    beforeAll(() => contract.start());
    afterAll(() => contract.stop());
    for (const clause of clauses) {
      if (clause.skipped === undefined) {
        it(clause.title, clause.check);
      } else {
        it.skip(`${clause.title}: ${clause.skipped}`, clause.check);
      }
    }
  });
}
