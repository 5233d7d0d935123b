// What was found out about one adapter, as people and machines keep it.
import type { PostingGuarantee } from '../connector/erp/erp-ledger.js';
import type { ErpCapabilities } from '../connector/erp/kit/capabilities.js';
import { checkContract, type CheckedClause } from './check-contract.js';
import { demoBooksClauses } from './demo-books.clauses.js';
import type { ErpHarness } from './harness.js';

export interface AdapterReport {
  readonly adapter: { readonly id: string; readonly name: string; readonly apiVersion: number };
  readonly harness: string;
  readonly level: PostingGuarantee['level'];
  readonly capabilities: ErpCapabilities;
  /** `certification`: every clause and the demo books. */
  readonly scope: 'certification' | 'suite' | 'selection';
  readonly result: 'passed' | 'failed';
  /** RFC 3339, UTC. */
  readonly finishedAt: string;
  readonly clauses: readonly CheckedClause[];
}

export interface CheckOptions {
  /** Part of the titles of the clauses to be checked; undefined for all. */
  readonly only?: string | undefined;
  /** Whether the demo books are posted and compared, too. */
  readonly certify?: boolean;
  /** Called with each clause once it is checked. */
  readonly report?: (clause: CheckedClause) => void;
}

/** @throws what the harness throws when it starts */
export async function checkHarness(harness: ErpHarness, options: CheckOptions = {}): Promise<AdapterReport> {
  const { only, certify = false, report = () => undefined } = options;
  const { level, clauses } = await checkContract(harness, only, certify ? demoBooksClauses : undefined, report);
  const { id, name, apiVersion } = harness.definition;
  return {
    adapter: { id, name, apiVersion },
    harness: harness.name,
    level,
    capabilities: harness.capabilities,
    scope: certify ? 'certification' : only === undefined ? 'suite' : 'selection',
    result: clauses.some(({ result }) => result === 'fails') ? 'failed' : 'passed',
    finishedAt: new Date().toISOString(),
    clauses,
  };
}
