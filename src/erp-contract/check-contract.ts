// Checks an adapter's clauses one after the other.
import { setTimeout as delay } from 'node:timers/promises';
import type { PostingGuarantee } from '../connector/erp/erp-ledger.js';
import { contractClauses } from './contract-clauses.js';
import { failureWords } from './failure-words.js';
import type { ErpHarness } from './harness.js';
import type { Contract } from './suite/contract.js';

const CLAUSE_TIMEOUT_MS = 300_000;
/** A clause waits for the search a few times for each request of a post. */
const LAGS_OF_A_CLAUSE = 100;

export interface CheckedClause {
  readonly title: string;
  readonly result: 'holds' | 'fails' | 'skipped';
  /** Why it fails or is skipped, in words; none when it holds. */
  readonly reasons: readonly string[];
  readonly durationMs: number;
}

export interface CheckedContract {
  readonly level: PostingGuarantee['level'];
  readonly clauses: readonly CheckedClause[];
}

/**
 * @param only part of the titles of the clauses to be checked; undefined for all
 * @param more clauses of a certification
 * @param report called with each clause once it is checked
 * @throws what the harness throws when it starts
 */
export async function checkContract(
  harness: ErpHarness,
  only: string | undefined,
  more: ((contract: Contract) => void) | undefined,
  report: (clause: CheckedClause) => void,
): Promise<CheckedContract> {
  const { contract, clauses } = contractClauses(harness, more);
  const lagMs = contract.guarantee.level === 'searchable-reference' ? contract.guarantee.searchLagMs : 0;
  const timeoutMs = CLAUSE_TIMEOUT_MS + LAGS_OF_A_CLAUSE * lagMs;
  const checked: CheckedClause[] = [];
  await contract.start();
  try {
    for (const clause of clauses.filter((each) => only === undefined || each.title.includes(only))) {
      const started = performance.now();
      const reasons = clause.skipped === undefined ? await reasonsAgainst(clause.check, timeoutMs) : [clause.skipped];
      const result = clause.skipped !== undefined ? 'skipped' : reasons.length === 0 ? 'holds' : 'fails';
      const done = {
        title: clause.title,
        result,
        reasons,
        durationMs: Math.round(performance.now() - started),
      } as const;
      checked.push(done);
      report(done);
    }
  } finally {
    await contract.stop();
  }
  return { level: contract.level, clauses: checked };
}

async function reasonsAgainst(check: () => Promise<void>, timeoutMs: number): Promise<readonly string[]> {
  const over = new AbortController();
  try {
    const timeout = delay(timeoutMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`it is not done after ${(timeoutMs / 1_000).toString()} seconds`);
    });
    await Promise.race([check(), timeout]);
    return [];
  } catch (error) {
    return failureWords(error);
  } finally {
    over.abort();
  }
}
