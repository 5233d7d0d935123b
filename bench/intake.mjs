// How long webhooks take while others keep the administration busy with the dearest requests it takes: in one process, and in a
// process of their own, both against webhooks with nothing else to do. And how many one process takes, against the least that
// could be done with them.
import { Buffer } from 'node:buffer';
import { fork, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { NestFactory } from '@nestjs/core';
import { loadConnectorConfig } from '../build/connector/connector-config.js';
import { CoreModule } from '../build/connector/core.module.js';
import { InstallationsModule } from '../build/connector/installations/installations.module.js';
import { CredentialRepository } from '../build/connector/installations/credentials/credential.repository.js';
import { SubscriptionRepository } from '../build/connector/installations/subscription/subscription.repository.js';
import { TenantDatabase } from '../build/foundation/database/tenant-database.js';
import { createLogger } from '../build/foundation/logging/logger.js';
import { freePort } from '../build/foundation/process/free-port.js';
import { onOwnServer } from './fresh-database.mjs';
import { Costs } from './pipeline/costs.mjs';

const WEBHOOKS = 100;
const PAUSE_MS = 20;
const BUSY_CALLERS = 4;
const CONNECTIONS = 64;
const WARM_UP = 1_000;
const MESSAGES = 6_000;
const OPERATOR = 'operator-of-the-benchmark';
const FIELDS = ['subject', 'source', 'target', 'sourceGroup', 'itemType', 'tagGroup', 'tag', 'targetGroup', 'id'];

export async function intake() {
  return onOwnServer(measure);
}

async function measure(url) {
  const environment = {
    DATABASE_URL: url,
    LOG_LEVEL: 'fatal',
    CREDENTIAL_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    OPERATOR_TOKEN: OPERATOR,
    CONNECTOR_REQUESTS_PER_MINUTE: '1000000',
  };
  const tenant = await storeTenant(environment);
  const all = await startApi(environment);
  const own = await startApi({ ...environment, CONNECTOR_SERVES: 'webhooks' });
  try {
    const token = await newToken(all.port, tenant);
    const alone = await webhookTimes(own.port, tenant);
    const busy = new Busy(all.port, token);
    const together = await webhookTimes(all.port, tenant);
    const apart = await webhookTimes(own.port, tenant);
    await busy.end();
    const baseline = `with nothing else to do: ${figures(alone)}`;
    const rates = await intakeRates(url, own, tenant);
    const beside = `beside ${BUSY_CALLERS} callers of the administration, each with 1,000 wrong rules at a time (${busy.count} requests)`;
    return [
      { measured: `webhooks ${beside}, own process: ${figures(apart)}`, baseline, ratio: worst(apart) / worst(alone) },
      {
        measured: `the same in one process: ${figures(together)}`,
        baseline: `own process: ${figures(apart)}`,
        ratio: worst(together) / worst(apart),
      },
      ...rates,
    ];
  } finally {
    await all.stop();
    await own.stop();
  }
}

async function storeTenant(environment) {
  const config = loadConnectorConfig(environment);
  const program = { config, logger: createLogger('bench', config.logging), role: 'worker' };
  class BenchModule {}
  const app = await NestFactory.createApplicationContext(
    { module: BenchModule, imports: [CoreModule.register(program), InstallationsModule] },
    { logger: ['error'] },
  );
  const client = new pg.Client({ connectionString: environment.DATABASE_URL, options: '-c search_path=connector' });
  await client.connect();
  const secret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`;
  const tenant = {
    installationId: randomUUID(),
    companyId: randomUUID(),
    endpoint: `endpoint-${randomUUID()}`,
    secret,
  };
  const { installationId, companyId, endpoint } = tenant;
  await client.query(
    `INSERT INTO installation (id, platform_company_id, company_name, state, created_at) VALUES ($1, $2, 'Bench', 'active', now())`,
    [installationId, companyId],
  );
  const credentials = app.get(CredentialRepository, { strict: false });
  const subscriptions = app.get(SubscriptionRepository, { strict: false });
  await app.get(TenantDatabase).inInstallation('store tenant', installationId, async (tx) => {
    await credentials.replace(tx, installationId, { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 86_400 });
    await subscriptions.reserve(tx, installationId, endpoint);
    await subscriptions.confirm(tx, installationId, randomUUID(), secret);
  });
  await client.end();
  await app.close();
  return tenant;
}

async function startApi(environment) {
  const [port, internalPort] = [await freePort(), await freePort()];
  const ports = { PORT: port.toString(), INTERNAL_PORT: internalPort.toString() };
  const child = spawn(process.execPath, ['dist/connector/main.js'], {
    env: { PATH: process.env.PATH, ...environment, ...ports },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const isReady = () =>
    send({ port: internalPort, path: '/health/ready', method: 'GET' }).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) {
    await sleep(100);
  }
  return {
    port,
    pid: child.pid,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

async function newToken(port, { installationId }) {
  const { text } = await send({
    port,
    path: `/api/v1/operator/installations/${installationId}/api-tokens`,
    headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'bookkeeper', label: 'busy', days: 1 }),
  });
  return JSON.parse(text).token;
}

/** Callers that ask again as soon as they are answered. */
class Busy {
  count = 0;
  isOver = false;

  constructor(port, token) {
    const rule = Object.fromEntries(FIELDS.map((field) => [field, 0]));
    const body = JSON.stringify({ upserts: Array.from({ length: 1_000 }, () => rule) });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': '"0"' };
    this.callers = Array.from({ length: BUSY_CALLERS }, async () => {
      while (!this.isOver) {
        const { status } = await send({ port, path: '/api/v1/mapping/rules/bulk', headers, body });
        if (status !== 400) {
          throw new Error(`the busy caller was answered ${status}`);
        }
        this.count += 1;
      }
    });
  }

  async end() {
    this.isOver = true;
    await Promise.all(this.callers);
  }
}

/** @returns milliseconds of each, sorted */
async function webhookTimes(port, { companyId, endpoint, secret }) {
  const times = [];
  for (let count = 0; count < WEBHOOKS; count += 1) {
    await sleep(PAUSE_MS);
    const message = signedMessage({ companyId, endpoint, secret });
    times.push(await deliver(port, message));
  }
  return times.sort((one, other) => one - other);
}

function signedMessage({ companyId, endpoint, secret }) {
  const data = { id: randomUUID(), companyId };
  const body = JSON.stringify({ payload: { data, eventId: randomUUID(), eventType: 'v1.export-job.created' } });
  const [id, timestamp] = [`msg_${randomUUID()}`, Math.floor(Date.now() / 1_000).toString()];
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  const signature = mac.update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return { path: `/webhooks/${endpoint}`, headers, body };
}

/** @returns milliseconds until it was taken */
async function deliver(port, message) {
  const began = performance.now();
  const { status } = await send({ port, ...message });
  if (status !== 202) {
    throw new Error(`a webhook was answered ${status}`);
  }
  return performance.now() - began;
}

/** One process with nothing else to do, beside the least that could be done with a message. */
async function intakeRates(url, own, tenant) {
  const rival = fork('bench/bare-intake.mjs', [url]);
  const [{ port }] = await once(rival, 'message');
  const costs = await Costs.connect(url);
  try {
    const done = {
      connector: await rateOf(costs, own.port, own.pid, tenant),
      bare: await rateOf(costs, port, rival.pid, tenant),
    };
    const what = `${MESSAGES} webhooks over ${CONNECTIONS} connections`;
    const ratio = (name, value, unit) => ({
      measured: `${what}: ${name} ${value(done.connector)} ${unit}`,
      baseline: `bare Fastify with grouped insert: ${value(done.bare)}`,
      ratio: value(done.connector) / value(done.bare),
    });
    return [
      ratio('taken', ({ perSecond }) => Math.round(perSecond), 'a second'),
      ratio('processor time of process and PostgreSQL', cpuOfMessage, 'µs each'),
    ];
  } finally {
    await costs.close();
    rival.disconnect();
  }
}

async function rateOf(costs, port, pid, tenant) {
  await deliverAll(port, tenant, WARM_UP);
  return costs.of(pid, async () => {
    const began = performance.now();
    await deliverAll(port, tenant, MESSAGES);
    return { perSecond: (MESSAGES / (performance.now() - began)) * 1_000 };
  });
}

/** Over so many connections as there are, each message after the one before. */
async function deliverAll(port, tenant, count) {
  let left = count;
  const line = async () => {
    while (left > 0) {
      left -= 1;
      await deliver(port, signedMessage(tenant));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, line));
}

function cpuOfMessage({ workerSeconds, databaseSeconds }) {
  return Math.round(((workerSeconds + databaseSeconds) / MESSAGES) * 1_000_000);
}

const agent = new Agent({ keepAlive: true });

async function send({ port, path, headers, body = '', method = 'POST' }) {
  const sent = request({ host: '127.0.0.1', port, path, method, agent, headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { status: response.statusCode, text };
}

/** Nineteen of twenty are faster. */
function worst(sorted) {
  return sorted[Math.floor(sorted.length * 0.95)];
}

function figures(sorted) {
  return `${sorted[Math.floor(sorted.length / 2)].toFixed(1)} ms, 95 % in ${worst(sorted).toFixed(1)} ms`;
}
