// The whole contract of an ERP adapter, for the level its harness names.
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { ErpHarness, Undeclared } from '../harness.js';
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

    for (const [part, reason] of Object.entries(harness.without ?? {})) {
      it.skip(`${part}: not declared, ${reason}`, () => undefined);
    }
    const declared = (part: Undeclared, clauses: (of: Contract) => void) => {
      if (harness.without?.[part] === undefined) {
        clauses(contract);
      }
    };

    readingClauses(contract);
    declared('vendors', vendorClauses);
    postingClauses(contract);
    declared('documents', documentClauses);
    keyClauses(contract);
    unknownOutcomeClauses(contract);
    reversalClauses(contract);
    inspectionClauses(contract);
    declared('settlement', settlementClauses);
  });
}
