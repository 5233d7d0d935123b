import { Counter } from 'prom-client';

const refreshes = new Counter({
  name: 'connector_token_refreshes_total',
  help: 'Refreshes of an access token; lost: the grant was revoked, failed: retried later',
  labelNames: ['result'] as const,
});
const maintenance = new Counter({
  name: 'connector_subscription_maintenance_total',
  help: 'Maintenance runs of a company’s subscription on the platform',
  labelNames: ['result'] as const,
});

export function countRefresh(result: 'renewed' | 'lost' | 'failed'): void {
  refreshes.inc({ result });
}

export function countSubscriptionMaintenance(result: 'done' | 'failed'): void {
  maintenance.inc({ result });
}
