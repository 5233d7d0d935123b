import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConnectorConfig } from '../../src/connector/connector-config.js';
import { createConnectorHttp } from '../../src/connector/connector-http.js';
import { KeyRingService } from '../../src/connector/installations/credentials/key-ring.service.js';
import { DataKeyRepository } from '../../src/connector/installations/credentials/data-key.repository.js';
import { SubscriptionRepository } from '../../src/connector/installations/subscription/subscription.repository.js';
import { TaskQueue } from '../../src/connector/tasks/task-queue.js';
import { administer, createDatabase } from '../../src/foundation/database/server-admin.js';
import { TenantDatabase } from '../../src/foundation/database/tenant-database.js';
import { EmbeddedPostgres } from '../../src/foundation/embedded-postgres/embedded-postgres.js';
import { AppLogger } from '../../src/foundation/logging/app-logger.js';
import { createLogger } from '../../src/foundation/logging/logger.js';
import { freePort } from '../../src/foundation/process/free-port.js';
import { Clock } from '../../src/kernel/clock.js';
import { ChildProgram } from '../../src/sandbox/launch/child-program.js';
import { migrateAll } from '../../src/sandbox/launch/migrate-all.js';
import { NO_LIMITS, storeInstallation } from '../support/connector-app.js';
import { randomNumbers } from '../support/random-numbers.js';
import { signWebhook } from '../support/signed-webhook.js';

// Signed webhooks in great number at two API processes that are killed again and again. Half of them repeat another, near ones come in
// any order, some are stale, some forged, and in the middle the secret is rotated. Nothing that was acknowledged is lost, nothing is
// stored twice, and of a forged or stale one nothing is stored.

/** `npm run drill -- webhooks 1000000`; the number of messages that are sent for the first or second time. */
const MESSAGES = Number(process.env['DRILL_MESSAGES'] ?? 20_000);
const SENDERS = 64;
/** One process is killed after each of so many shares of the messages. */
const KILLS = 10;
const ROTATED_AT = MESSAGES / 2;
/** Behind the rotation the platform still sends what it had signed with the old secret. */
const OLD_SECRET_UNTIL = MESSAGES * 0.6;
const AN_HOUR_S = 3_600;
const LIMIT_MS = 6 * 3_600_000;

type Kind = 'event' | 'stale' | 'forged' | 'altered';

let folder: string;
let server: EmbeddedPostgres;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
  server = await EmbeddedPostgres.start({ folder, durable: true });
  await createDatabase(server.url('postgres'), 'drill');
  await migrateAll(server.url('drill'));
}, 120_000);
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

it(
  'stores every acknowledged message once, and none that the platform has not signed',
  async () => {
    const environment = {
      DATABASE_URL: server.url('drill'),
      LOG_LEVEL: 'silent',
      CREDENTIAL_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      OPERATOR_TOKEN: 'operator-of-the-webhook-drill-0123456789',
      ...NO_LIMITS,
    };
    const config = loadConnectorConfig(environment);
    const app = await createConnectorHttp({ config, logger: createLogger('drill', config.logging), role: 'api' });
    await app.init();
    const runtime = {
      database: app.get(TenantDatabase),
      tasks: app.get(TaskQueue),
      keys: app.get(KeyRingService),
      clock: app.get(Clock),
      logger: app.get(AppLogger),
    };
    const tenant = await storeInstallation({ runtime });
    const newSecret = `whsec_${Buffer.from('the secret after the rotation').toString('base64')}`;
    const rotate = () =>
      runtime.database.inInstallation('rotate secret', tenant.id, (tx) =>
        new SubscriptionRepository(new DataKeyRepository(runtime.keys)).confirm(
          tx,
          tenant.id,
          crypto.randomUUID(),
          newSecret,
        ),
      );
    const programs = await Promise.all([startApi(environment, runtime.clock), startApi(environment, runtime.clock)]);
    const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
    const forger = `whsec_${Buffer.from('somebody else’s secret').toString('base64')}`;
    const random = randomNumbers(7);
    let isRotated = false;
    /** For a while after the rotation half of the messages are those that were signed before it. */
    const secretAt = (place: number, isOld: boolean) =>
      !isRotated || (isOld && place < OLD_SECRET_UNTIL) ? tenant.secret : newSecret;

    const deliver = async (kind: Kind, name: string, place: number): Promise<number> => {
      const id = `msg_${name}`;
      const body = Buffer.from(
        JSON.stringify({
          payload: {
            data: { companyId: tenant.companyId, id: uuidOf(name) },
            eventId: id,
            eventType: 'v1.something.else',
          },
        }),
      );
      const at = Math.floor(runtime.clock.now().getTime() / 1_000) - (kind === 'stale' ? AN_HOUR_S : 0);
      const secret = kind === 'forged' ? forger : secretAt(place, random() < 0.5);
      const { headers } = signWebhook(secret, id, at, body);
      const sent = kind === 'altered' ? Buffer.from(body.toString().replace('else', 'evil')) : body;
      const { port } = programs[Math.floor(random() * programs.length)] ?? programs[0];
      return post(agent, port, `/webhooks/${tenant.endpointToken}`, headers, sent);
    };

    const counts = { event: 0, repeated: 0, stale: 0, forged: 0, altered: 0, again: 0 };
    const wronglyAccepted: string[] = [];
    const acknowledged = new Set<string>();
    const begun = performance.now();
    let next = 0;
    let kills = 0;
    const sendAll = async () => {
      while (next < MESSAGES) {
        const place = (next += 1);
        if (place === ROTATED_AT) {
          await rotate();
          isRotated = true;
        }
        if (place % Math.floor(MESSAGES / (KILLS + 1)) === 0 && kills < KILLS) {
          programs[kills % programs.length]?.program.kill('SIGKILL');
          kills += 1;
        }
        // Half are the first of their event; the others repeat one that was sent a while ago, or is under way.
        const isRepeated = place % 2 === 0;
        const event = isRepeated ? 1 + 2 * Math.floor(random() * (place / 2)) : place;
        counts[isRepeated ? 'repeated' : 'event'] += 1;
        await untilAcknowledged(event, place);
        const kind = ([undefined, 'stale', 'forged', 'altered'] as const)[place % 50];
        if (kind !== undefined) {
          counts[kind] += 1;
          await untilRefused(kind, place);
        }
      }
    };
    /** As the platform does: what gets no answer, or not that it was taken, is sent again. */
    const untilAcknowledged = async (event: number, place: number) => {
      for (;;) {
        const status = await deliver('event', event.toString(), place);
        if (status >= 200 && status < 300) {
          acknowledged.add(`msg_${event.toString()}`);
          return;
        }
        expect({ event, refused: status > 0 && status < 500 ? status : undefined }).toEqual({ event });
        counts.again += 1;
        await runtime.clock.sleep(100);
      }
    };
    const untilRefused = async (kind: Kind, place: number) => {
      const name = `${kind}-${place.toString()}`;
      for (;;) {
        const status = await deliver(kind, name, place);
        if (status >= 200 && status < 300) {
          wronglyAccepted.push(name);
        }
        if (status >= 200 && status < 500) {
          return;
        }
        await runtime.clock.sleep(100);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sendAll));
    const seconds = (performance.now() - begun) / 1_000;

    const stored = (await administer(server.url('drill'), 'SELECT webhook_id FROM connector.notification')).map((row) =>
      String(row['webhook_id']),
    );
    const quarantined = await administer(
      server.url('drill'),
      'SELECT webhook_id FROM connector.quarantined_notification',
    );
    const storedOnce = new Set(stored);
    const lost = [...acknowledged].filter((id) => !storedOnce.has(id));
    const foreign = stored.filter((id) => !acknowledged.has(id));
    const sum = Object.values(counts).reduce((all, one) => all + one, 0);
    process.stdout.write(
      `${sum.toLocaleString('en')} webhooks in ${seconds.toFixed(0)} s (${Math.round(sum / seconds).toString()}/s), ${kills.toString()} kills: ` +
        `${counts.event.toString()} events, ${counts.repeated.toString()} repeated, ${counts.again.toString()} sent again, ` +
        `${counts.stale.toString()} stale, ${counts.forged.toString()} forged, ${counts.altered.toString()} altered; ` +
        `${lost.length.toString()} lost, ${(stored.length - storedOnce.size).toString()} doubled, ` +
        `${(wronglyAccepted.length + foreign.length).toString()} wrongly accepted\n`,
    );
    agent.destroy();
    await Promise.all(programs.map(({ program }) => program.stop()));
    await app.close();
    expect({ lost, wronglyAccepted, foreign, quarantined }).toEqual({
      lost: [],
      wronglyAccepted: [],
      foreign: [],
      quarantined: [],
    });
    expect([stored.length, storedOnce.size]).toEqual([counts.event, counts.event]);
    expect(kills).toBe(KILLS);
  },
  LIMIT_MS,
);

async function startApi(environment: Readonly<Record<string, string>>, clock: Clock) {
  const [port, internalPort] = [await freePort(), await freePort()];
  const program = new ChildProgram(
    {
      name: `api at ${port.toString()}`,
      entry: 'connector/main.js',
      environment: { ...environment, PORT: port.toString(), INTERNAL_PORT: internalPort.toString() },
      readyUrl: `http://localhost:${internalPort.toString()}/health/ready`,
    },
    clock,
    () => undefined,
  );
  await program.start();
  return { port, program };
}

/** @returns the status; 0 without an answer */
function post(
  agent: Agent,
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      {
        agent,
        port,
        host: 'localhost',
        path,
        method: 'POST',
        timeout: 10_000,
        headers: { ...headers, 'content-length': body.length },
      },
      (response) => {
        response.resume();
        response.once('end', () => {
          resolve(response.statusCode ?? 0);
        });
        response.once('error', () => {
          resolve(0);
        });
      },
    );
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => {
      resolve(0);
    });
    sent.end(body);
  });
}

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
