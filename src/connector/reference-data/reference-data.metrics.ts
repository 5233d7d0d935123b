import { Counter, Histogram } from 'prom-client';
import { SYNC_KINDS, type SyncAction, type SyncKind } from './domain/sync-plan.js';

const runs = new Histogram({
  name: 'connector_sync_run_seconds',
  help: 'Time from the beginning of a reference-data run to its end, pauses included',
  labelNames: ['kind', 'result'] as const,
  buckets: [1, 5, 15, 60, 300, 900, 3_600, 21_600],
});
const changes = new Counter({
  name: 'connector_sync_changes_total',
  help: 'Records that reference-data runs changed on the platform or in the ERP',
  labelNames: ['kind', 'action'] as const,
});
const problems = new Counter({
  name: 'connector_sync_problems_total',
  help: 'Records that a reference-data run could not bring in step',
  labelNames: ['kind'] as const,
});

const RESULTS = ['completed', 'failed'] as const;
// Prometheus sees no increase from a sample that was not there: what fails first would raise no alert.
for (const kind of SYNC_KINDS) {
  for (const result of RESULTS) {
    runs.zero({ kind, result });
  }
}

/** @param seconds since the run was first started */
export function observeSyncEnd(kind: SyncKind, result: (typeof RESULTS)[number], seconds: number): void {
  runs.observe({ kind, result }, seconds);
}

export function countSyncChanges(kind: SyncKind, actions: readonly SyncAction[]): void {
  for (const action of actions) {
    changes.inc({ kind, action });
  }
}

export function countSyncProblems(kind: SyncKind, count: number): void {
  problems.inc({ kind }, count);
}
