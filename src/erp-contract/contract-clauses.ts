// The whole contract of an ERP adapter, for the capabilities its harness names.
import { collectClauses, describe, it, type Clause } from './clauses.js';
import type { ErpHarness } from './harness.js';
import { Contract } from './suite/contract.js';
import { acceptedClauses } from './suite/accepted.clauses.js';
import { balanceClauses } from './suite/balance.clauses.js';
import { badResponseClauses } from './suite/bad-response.clauses.js';
import { documentClauses } from './suite/document.clauses.js';
import { inspectionClauses } from './suite/inspection.clauses.js';
import { instanceClauses } from './suite/instance.clauses.js';
import { keyClauses } from './suite/key.clauses.js';
import { lateArrivalClauses } from './suite/late.clauses.js';
import { postingClauses } from './suite/posting.clauses.js';
import { readingClauses } from './suite/reading.clauses.js';
import { referenceClauses } from './suite/reference.clauses.js';
import { reversalClauses } from './suite/reversal.clauses.js';
import { settlementClauses } from './suite/settlement.clauses.js';
import { sweepClauses } from './suite/sweep.clauses.js';
import { unknownOutcomeClauses } from './suite/unknown.clauses.js';
import { vendorClauses } from './suite/vendor.clauses.js';

export interface ContractClauses {
  /** Of the adapter and its level. */
  readonly title: string;
  /** To be started before the first clause is checked, and stopped after the last. */
  readonly contract: Contract;
  readonly clauses: readonly Clause[];
}

/** @param more clauses of a certification */
export function contractClauses(
  harness: ErpHarness,
  more: (contract: Contract) => void = () => undefined,
): ContractClauses {
  const contract = new Contract(harness);
  const clauses = collectClauses(() => {
    readingClauses(contract);
    referenceClauses(contract);
    declared(contract, 'vendors', vendorClauses);
    postingClauses(contract);
    declared(contract, 'documents', documentClauses);
    keyClauses(contract);
    unknownOutcomeClauses(contract);
    lateArrivalClauses(contract);
    declared(contract, 'outcome later', acceptedClauses);
    badResponseClauses(contract);
    sweepClauses(contract);
    instanceClauses(contract);
    reversalClauses(contract);
    inspectionClauses(contract);
    declared(contract, 'settlement', settlementClauses);
    declared(contract, 'balances', balanceClauses);
    more(contract);
  });
  return { title: `${harness.name}, level ${contract.level}`, contract, clauses };
}

/** One skipped clause stands for all of a part that the adapter does not declare. */
function declared(
  contract: Contract,
  part: 'vendors' | 'outcome later' | 'documents' | 'settlement' | 'balances',
  clauses: (contract: Contract) => void,
): void {
  const skipped = contract.without(part);
  if (skipped === undefined) {
    clauses(contract);
  } else {
    describe('not declared', () => {
      it.unless(skipped)(part, () => undefined);
    });
  }
}
