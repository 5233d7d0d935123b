// Whether a process can do its work, and if not, why: each reason has a section in docs/runbook.md.
import { withTimeout } from '../../foundation/clock/with-timeout.js';

export interface ReadinessCheck {
  readonly name: string;
  /** Without it the process cannot work; the others are only reported. */
  readonly isVital: boolean;
  /** @returns what is wrong, in words without details of a tenant; undefined when all is well */
  readonly find: () => Promise<string | undefined>;
}

export interface CheckResult {
  readonly name: string;
  /** `impaired`: something is wrong, and the process can work nevertheless. */
  readonly status: 'ok' | 'impaired' | 'failed';
  readonly reason?: string;
}

export interface Readiness {
  readonly status: 'ready' | 'not ready';
  /** The first that is vital; absent when ready. */
  readonly reason?: string;
  readonly checks: readonly CheckResult[];
}

const CHECK_LIMIT_MS = 2_000;

/** Runs all checks at the same time; one that takes too long, or throws, has failed. */
export async function judgeReadiness(checks: readonly ReadinessCheck[]): Promise<Readiness> {
  const results = await Promise.all(checks.map(runCheck));
  const reason = results.find(({ status }) => status === 'failed')?.reason;
  return reason === undefined ? { status: 'ready', checks: results } : { status: 'not ready', reason, checks: results };
}

async function runCheck({ name, isVital, find }: ReadinessCheck): Promise<CheckResult> {
  const found = find().catch(() => 'could not be looked at');
  const reason = await withTimeout(CHECK_LIMIT_MS, name, found).catch(() => 'did not answer in time');
  return reason === undefined
    ? { name, status: 'ok' }
    : { name, status: isVital ? 'failed' : 'impaired', reason: `${name}: ${reason}` };
}
