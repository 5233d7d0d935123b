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

const REFRESH_RESULTS = ['renewed', 'lost', 'failed'] as const;
const MAINTENANCE_RESULTS = ['done', 'failed'] as const;
// Prometheus sees no increase from a sample that was not there: what is lost or fails first would raise no alert.
for (const result of REFRESH_RESULTS) {
  refreshes.inc({ result }, 0);
}
for (const result of MAINTENANCE_RESULTS) {
  maintenance.inc({ result }, 0);
}

export function countRefresh(result: (typeof REFRESH_RESULTS)[number]): void {
  refreshes.inc({ result });
}

export function countSubscriptionMaintenance(result: (typeof MAINTENANCE_RESULTS)[number]): void {
  maintenance.inc({ result });
}
