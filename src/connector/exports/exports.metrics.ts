// Counters of exports in this process. Queues are read from the tables instead (connector/health).
import { Counter, Histogram } from 'prom-client';
import type { PostOutcome } from '../erp/erp-ledger.js';
import { FINAL_STATES, type FinalState } from './domain/state-transitions.js';
import type { RecordedResult } from './stores/export-item.repository.js';

const items = new Counter({
  name: 'connector_export_items_total',
  help: 'Items that were given a result; failure_type is empty for a successful one',
  labelNames: ['state', 'failure_type'] as const,
});
const postings = new Counter({
  name: 'connector_postings_total',
  help: 'Posting groups sent to the ERP, by their outcome; unknown: they may be in the books',
  labelNames: ['outcome'] as const,
});
const jobs = new Histogram({
  name: 'connector_export_job_seconds',
  help: 'From the moment a job was known here until it ended, by its end',
  labelNames: ['state'] as const,
  buckets: [1, 5, 15, 60, 300, 900, 1_800, 3_000, 3_600, 7_200],
});
// Prometheus sees no increase from a sample that was not there: the first job that expires would raise no alert.
for (const state of FINAL_STATES) {
  jobs.zero({ state });
}

export function countItems(recorded: readonly RecordedResult[]): void {
  for (const item of recorded) {
    items.inc({ state: item.state, failure_type: item.state === 'failed' ? item.failureType : '' });
  }
}

export function countPostings(outcomes: readonly PostOutcome[]): void {
  for (const { outcome } of outcomes) {
    postings.inc({ outcome });
  }
}

/** @param seconds since the job was detected */
export function observeJobEnd(state: FinalState, seconds: number): void {
  jobs.observe({ state }, seconds);
}
