// The whole contract of an ERP adapter, for the level its harness names.
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { ErpHarness } from '../harness.js';
import { Contract } from './contract.js';
import { documentClauses } from './document.clauses.js';
import { inspectionClauses } from './inspection.clauses.js';
import { keyClauses } from './key.clauses.js';
import { postingClauses } from './posting.clauses.js';
import { readingClauses } from './reading.clauses.js';
import { reversalClauses } from './reversal.clauses.js';
import { settlementClauses } from './settlement.clauses.js';
import { unknownOutcomeClauses } from './unknown.clauses.js';
import { vendorClauses } from './vendor.clauses.js';

export function erpContract(harness: ErpHarness): void {
  describe(`${harness.name}, level ${harness.capability.level}`, () => {
    const contract = new Contract(harness);
    beforeAll(() => contract.start());
    afterAll(() => contract.stop());

    readingClauses(contract);
    vendorClauses(contract);
    postingClauses(contract);
    documentClauses(contract);
    keyClauses(contract);
    unknownOutcomeClauses(contract);
    reversalClauses(contract);
    inspectionClauses(contract);
    settlementClauses(contract);
  });
}
