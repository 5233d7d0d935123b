import { Counter } from 'prom-client';

const runs = new Counter({
  name: 'connector_reconciliation_runs_total',
  help: 'Turns of a reconciliation run; interrupted ones are taken up again',
  labelNames: ['result'] as const,
});

export function countReconciliation(result: 'completed' | 'interrupted' | 'failed'): void {
  runs.inc({ result });
}
