import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Counter, Histogram, Registry, register } from 'prom-client';
import { AlertsModule } from '../../../../src/connector/alerts/alerts.module.js';
import { ALERT_KINDS } from '../../../../src/connector/alerts/domain/alert.js';
import { FleetGauges } from '../../../../src/connector/health/fleet-gauges.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { HttpClient } from '../../../../src/foundation/http/client/http-client.js';
import { UNREACHABLE } from '../../../support/fake-erp.js';
import {
  after,
  respondingWith,
  MisbehavingServer,
  reset,
  type Behavior,
} from '../../../support/servers/misbehaving-server.js';
import { signWebhook } from '../../../support/signed-webhook.js';
import { companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { History } from '../reconciliation/history.js';
import { account, dimension, clearSources } from '../reference-data/sync-fixtures.js';
import { SyncHarness } from '../reference-data/sync-harness.js';
import { ExportsHarness, purchase } from '../exports/exports-harness.js';
import { jobCreated, nowSeconds } from '../webhooks/webhook-sender.js';
import { PlantedFacts } from './planted-facts.js';
import { AlertUseCases } from './alert-use-cases.js';
import { startedOnce } from '../../../support/started-once.js';

// What a scrape says, after work that was really done.

const ACCOUNT_THAT_IS_NOT_THERE = '9999';

const harness = startedOnce(() => ExportsHarness.start());
let own: Registry;
let gauges: FleetGauges;

/** What a process serves before its first event. Other tests of this process look for it, so it is there again afterwards. */
let atFirst: Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
beforeAll(async () => {
  atFirst = await register.getMetricsAsJSON();
});
afterAll(() => {
  for (const { name, values } of atFirst) {
    const metric = register.getSingleMetric(name);
    for (const { labels } of values) {
      const others = Object.fromEntries(Object.entries(labels).filter(([label]) => label !== 'le'));
      if (metric instanceof Counter) metric.inc(others, 0);
      if (metric instanceof Histogram) metric.zero(others);
    }
  }
});

beforeEach(() => {
  register.resetMetrics();
  own = new Registry();
  gauges = new FleetGauges(harness.database, harness.clock, own);
});

/** Samples of the metrics that begin so, as the scrape has them. */
async function samples(prefix: string): Promise<readonly string[]> {
  await gauges.refresh();
  const text = `${await own.metrics()}\n${await register.metrics()}`;
  return text.split('\n').filter((line) => line.startsWith(prefix));
}

/** Lets the gauges read another database than that of exports. */
function look(database: TenantDatabase): void {
  own = new Registry();
  gauges = new FleetGauges(database, harness.clock, own);
}

describe('the metrics after an export', () => {
  it('count what was done', async () => {
    const tenant = await harness.addTenant();
    const { companyId } = tenant;
    const bad = purchase(companyId, { account: ACCOUNT_THAT_IS_NOT_THERE });
    await harness.addJob(tenant, [purchase(companyId), purchase(companyId), bad]);
    expect(await samples('connector_export_jobs_open')).toEqual([
      'connector_export_jobs_open{state="detected"} 1',
      'connector_export_jobs_open{state="running"} 0',
      'connector_export_jobs_open{state="verdict_decided"} 0',
    ]);
    await harness.processQueue(tenant);
    harness.clock.freezeMinutes(1);
    expect(await samples('connector_export_items_total')).toEqual([
      'connector_export_items_total{state="successful",failure_type=""} 2',
      'connector_export_items_total{state="failed",failure_type="account_unknown"} 1',
    ]);
    expect(await samples('connector_postings_total')).toEqual(['connector_postings_total{outcome="created"} 2']);
    expect(await samples('connector_export_job_seconds_count')).toEqual([
      'connector_export_job_seconds_count{state="completed_with_errors"} 1',
    ]);
    expect((await samples('connector_export_jobs_open')).map((line) => line.at(-1))).toEqual(['0', '0', '0']);
    expect(await samples('connector_outbox_oldest_seconds')).toEqual(['connector_outbox_oldest_seconds 0']);
    expect(await samples('connector_export_jobs_nearest_end_seconds')).toEqual([]);
    expect(await samples('connector_outbox_waiting')).toEqual(['connector_outbox_waiting 0']);
  });

  it('have no tenant, company, job or entry in a label', async () => {
    const tenant = await harness.addTenant();
    await harness.addJob(tenant, [purchase(tenant.companyId)]);
    expect((await samples('')).filter((line) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(line))).toEqual([]);
    await harness.processQueue(tenant);
  });
});

describe('the metrics after a run of reference data', () => {
  it('count its changes and its end by kind', async () => {
    const sync = await SyncHarness.start();
    const tenant = await sync.addTenant();
    clearSources(sync.sources);
    sync.sources.master.accountRows = [account('1'), account('2'), account('3', { active: false })];
    await sync.sync(tenant, ['accounts']);
    await sync.sync(tenant, ['accounts']);
    expect(await samples('connector_sync_changes_total')).toEqual([
      'connector_sync_changes_total{kind="accounts",action="create"} 2',
    ]);
    expect(await samples('connector_sync_run_seconds_count')).toEqual([
      'connector_sync_run_seconds_count{kind="accounts",result="completed"} 2',
    ]);
    await sync.close();
  });
});

describe('the metrics of reference data that cannot be synchronized', () => {
  it('are counted by kind', async () => {
    const sync = await SyncHarness.start();
    const tenant = await sync.addTenant();
    clearSources(sync.sources);
    sync.sources.platform.mostActiveTags = 2;
    sync.sources.platform.groups.set('g', { id: 'g', code: 'CC', name: 'CC', archived: false, metadata: {} });
    sync.sources.master.dimensionRows = [dimension('CC', ['a', 'b', 'c', 'd'])];
    await sync.sync(tenant, ['tags']);
    expect(await samples('connector_sync_problems_total')).toEqual(['connector_sync_problems_total{kind="tags"} 2']);
    await sync.close();
  });
});

describe('the metrics of a connected company', () => {
  let connected: ConnectHarness;
  let id: string;

  beforeEach(async () => {
    connected = await ConnectHarness.start();
    id = await connected.connect(companyUrn(connected.platform.addCompany().id));
    register.resetMetrics();
  });
  afterEach(() => connected.close());

  /** The platform announces a new job. */
  const notify = async (signingSecret?: string) => {
    const [subscription] = connected.platform.subscriptions.values();
    const { endpointUrl = '', secret = '', customHeaders = {} } = subscription ?? {};
    const body = jobCreated(connected.platform.companies[0]?.id ?? '');
    const message = signWebhook(signingSecret ?? secret, `msg_${randomUUID()}`, nowSeconds(), body);
    const url = `/webhooks/${endpointUrl.split('/').at(-1) ?? ''}`;
    const headers = { ...message.headers, ...customHeaders };
    const answer = await connected.connector.app.inject({ method: 'POST', url, headers, payload: body });
    return answer.statusCode;
  };

  it('time each webhook by its outcome', async () => {
    const wrong = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    expect([await notify(), await notify(), await notify(wrong)]).toEqual([202, 202, 401]);
    expect(await samples('connector_webhook_intake_seconds_count')).toEqual([
      'connector_webhook_intake_seconds_count{outcome="stored"} 2',
      'connector_webhook_intake_seconds_count{outcome="not-verified"} 1',
    ]);
    expect(
      (await samples('connector_webhook_intake_seconds_sum')).map((line) => Number(line.split(' ')[1]) > 0),
    ).toEqual([true, true]);
  });

  it('count tasks by kind and state, with the age of the oldest', async () => {
    await notify();
    await notify();
    look(connected.connector.app.get(TenantDatabase));
    const ofKind = '{kind="handle-notification",state="waiting"}';
    expect(await samples(`connector_queue_tasks${ofKind}`)).toEqual([`connector_queue_tasks${ofKind} 2`]);
    await connected.admin.query(
      `UPDATE pgboss.job SET created_on = now() - interval '100 s' WHERE name = 'handle-notification'`,
    );
    look(connected.connector.app.get(TenantDatabase));
    const [oldest = ''] = await samples(`connector_queue_oldest_seconds${ofKind}`);
    expect(Math.round(Number(oldest.split(' ')[1]) / 10)).toBe(10);
  });

  it('count refreshes and subscription checks by their outcome', async () => {
    const { platform } = connected;
    const careWithoutToken = async (...answers: readonly Behavior[]) => {
      platform.credentials.clear();
      platform.next('POST /oauth/token', ...answers);
      await connected.maintainSubscription(id).catch(() => undefined);
    };
    await careWithoutToken();
    expect(await samples('connector_token_refreshes_total')).toEqual([
      'connector_token_refreshes_total{result="renewed"} 1',
    ]);
    await careWithoutToken(respondingWith(429, { error: 'slow_down' }));
    await careWithoutToken(respondingWith(400, { error: 'invalid_grant' }));
    expect(await samples('connector_token_refreshes_total')).toEqual([
      'connector_token_refreshes_total{result="renewed"} 1',
      'connector_token_refreshes_total{result="failed"} 1',
      'connector_token_refreshes_total{result="lost"} 1',
    ]);
    expect(await samples('connector_subscription_maintenance_total')).toEqual([
      'connector_subscription_maintenance_total{result="done"} 1',
      'connector_subscription_maintenance_total{result="failed"} 2',
    ]);
  });
});

describe('the metrics of reconciliation runs', () => {
  it('count their outcomes, with the open discrepancies in between', async () => {
    const history = await History.start();
    const { ids } = await history.addJob(2);
    look(history.exports.database);
    history.erp.failure = UNREACHABLE;
    await history.reconcile();
    expect(await samples('connector_reconciliation_runs_total')).toEqual([
      'connector_reconciliation_runs_total{result="interrupted"} 1',
    ]);
    expect(await samples('connector_reconciliation_runs_open')).toEqual([
      'connector_reconciliation_runs_open{state="requested"} 0',
      'connector_reconciliation_runs_open{state="running"} 1',
    ]);
    history.erp.failure = undefined;
    history.erp.forget(ids[0] ?? '');
    await history.runAgain();
    look(history.exports.database);
    expect(await samples('connector_reconciliation_runs_total')).toEqual([
      'connector_reconciliation_runs_total{result="interrupted"} 1',
      'connector_reconciliation_runs_total{result="completed"} 1',
    ]);
    expect((await samples('connector_reconciliation_runs_open')).map((line) => line.at(-1))).toEqual(['0', '0']);
    expect(await samples('connector_discrepancies_open')).toEqual([
      'connector_discrepancies_open{class="deleted-in-erp"} 1',
    ]);
    await history.exports.close();
  });
});

describe('the metrics of alert messages', () => {
  it('count them by channel and result, and while they wait', async () => {
    const receiver = await MisbehavingServer.start();
    const exports = await ExportsHarness.start(undefined, undefined, [AlertsModule]);
    const tenant = await exports.addTenant();
    const alerts = new AlertUseCases(exports);
    const { version } = await alerts.reader.readSettings(tenant.installationId);
    const address = `${receiver.url}/alerts`;
    const settings = { channel: 'webhook', address, kinds: ALERT_KINDS, newSecret: false } as const;
    await alerts.saveAlertSettings.saveSettings(tenant.installationId, version, settings);
    receiver.plan(respondingWith(500, ''), respondingWith(204, ''));
    await new PlantedFacts(exports, tenant).of('export-failed');
    await alerts.processDueAlerts.processDue(tenant.installationId, new AbortController().signal);
    look(exports.database);
    const [failed, sent] = ['failed', 'sent'].map(
      (result) => `connector_alert_messages_total{channel="webhook",result="${result}"} 1`,
    );
    expect(await samples('connector_alert_messages_total')).toEqual([failed]);
    expect(await samples('connector_alert_messages_waiting')).toEqual(['connector_alert_messages_waiting 1']);
    exports.clock.passMinutes(60);
    await alerts.processDueAlerts.processDue(tenant.installationId, new AbortController().signal);
    look(exports.database);
    expect(await samples('connector_alert_messages_total')).toEqual([failed, sent]);
    expect(await samples('connector_alert_messages_waiting')).toEqual(['connector_alert_messages_waiting 0']);
    await exports.close();
    await receiver.close();
  });
});

function clientOf(
  { url: baseUrl }: MisbehavingServer,
  circuit: { failuresToOpen: number; openMs: number },
): HttpClient {
  const limits = { timeoutMs: 5_000, maxResponseBytes: 1_000, maxConnections: 1 };
  return new HttpClient({ peer: 'platform', baseUrl, ...limits, circuit });
}

describe('the metrics of calls to another system', () => {
  it('count their outcomes, with the state of the circuit', async () => {
    const server = await MisbehavingServer.start();
    const client = clientOf(server, { failuresToOpen: 2, openMs: 60_000 });
    const send = () => client.send({ method: 'GET', path: '/' }).catch(() => undefined);
    server.plan(
      respondingWith(200, ''),
      respondingWith(429, ''),
      respondingWith(404, ''),
      reset,
      respondingWith(503, ''),
    );
    for (let call = 0; call < 6; call += 1) {
      await send();
    }
    expect(await samples('http_client_requests_total')).toEqual(
      ['2xx', '429', '4xx', 'no-answer', '5xx', 'left-alone'].map(
        (outcome) => `http_client_requests_total{peer="platform",outcome="${outcome}"} 1`,
      ),
    );
    expect(await samples('http_client_circuit_open{peer="platform"}')).toEqual([
      'http_client_circuit_open{peer="platform"} 1',
    ]);
    client.close();
    await server.close();
  });
});

describe('the metrics of a system that is away', () => {
  it('say so also while one request tries whether it is back', async () => {
    const server = await MisbehavingServer.start();
    const client = clientOf(server, { failuresToOpen: 1, openMs: 5_000 });
    const send = () => client.send({ method: 'GET', path: '/' }).catch(() => undefined);
    const isAway = async () => (await samples('http_client_circuit_open{peer="platform"}'))[0]?.at(-1);
    const { promise: gate, resolve: open } = Promise.withResolvers<undefined>();
    server.plan(respondingWith(503, ''), after(gate, respondingWith(200, '')));
    await send();
    expect(await isAway()).toBe('1');
    const now = Date.now();
    const later = jest.spyOn(Date, 'now').mockReturnValue(now + 10_000);
    const trial = send();
    expect(await isAway()).toBe('1');
    open(undefined);
    await trial;
    expect(await isAway()).toBe('0');
    later.mockRestore();
    client.close();
    await server.close();
  });
});

describe('the metrics of waiting work', () => {
  it('have its age, by the clock of the database', async () => {
    const tenant = await harness.addTenant();
    const job = await harness.addJob(tenant, [purchase(tenant.companyId)]);
    await harness.admin.query(
      `UPDATE export_job SET detected_at = now() - interval '100 s', expires_at = now() + interval '1000 s',
         version = version + 1 WHERE id = $1`,
      [job.id],
    );
    await harness.admin.query(
      `INSERT INTO outbox (installation_id, export_job_id, seq, kind, body, created_at)
       VALUES ($1, $2, 90, 'items', '[]', now() - interval '50 s')`,
      [tenant.installationId, job.id],
    );
    const value = async (name: string) => Math.round(Number((await samples(name))[0]?.split(' ')[1]) / 10);
    expect(await value('connector_export_jobs_oldest_seconds')).toBe(10);
    expect(await value('connector_export_jobs_nearest_end_seconds')).toBe(100);
    expect(await value('connector_outbox_oldest_seconds')).toBe(5);
    expect(await samples('connector_figures_up')).toEqual([
      'connector_figures_up{source="tables"} 1',
      'connector_figures_up{source="queue"} 1',
    ]);
    await harness.admin.query('DELETE FROM outbox WHERE seq = 90');
    await harness.processQueue(tenant);
  });
});

describe('the cost of scrapes', () => {
  it('is one query of the tables and one of the queue, for any number of concurrent scrapes', async () => {
    const looks = [
      jest.spyOn(harness.database, 'acrossInstallations'),
      jest.spyOn(harness.database, 'withoutInstallation'),
    ];
    await Promise.all([gauges.refresh(), gauges.refresh(), gauges.refresh()]);
    await gauges.refresh();
    expect(looks.map((look) => look.mock.calls.length)).toEqual([1, 1]);
    harness.clock.freezeMinutes(1);
    await gauges.refresh();
    expect(looks.map((look) => look.mock.calls.length)).toEqual([2, 2]);
    for (const look of looks) {
      look.mockRestore();
    }
  });

  it('is a single figure that reports it when the tables do not respond', async () => {
    const look = jest.spyOn(harness.database, 'acrossInstallations').mockRejectedValue(new Error('away'));
    expect(await samples('connector_figures_up{source="tables"}')).toEqual(['connector_figures_up{source="tables"} 0']);
    expect(await samples('connector_installations')).toEqual([]);
    look.mockRestore();
  });
});
