import { Counter } from 'prom-client';

const refreshes = new Counter({
  name: 'connector_token_refreshes_total',
  help: 'Calls that renew an access token; lost: the grant is dead, failed: tried again later',
  labelNames: ['result'] as const,
});
const maintenance = new Counter({
  name: 'connector_subscription_maintenance_total',
  help: 'Looks at the platform’s subscription of a company',
  labelNames: ['result'] as const,
});

export function countRefresh(result: 'renewed' | 'lost' | 'failed'): void {
  refreshes.inc({ result });
}

export function countSubscriptionMaintenance(result: 'done' | 'failed'): void {
  maintenance.inc({ result });
}
