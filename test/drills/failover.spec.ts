import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConnectorConfig } from '../../src/connector/connector-config.js';
import { createConnectorHttp } from '../../src/connector/connector-http.js';
import { TaskQueue } from '../../src/connector/tasks/task-queue.js';
import { KeyRingService } from '../../src/connector/installations/credentials/key-ring.service.js';
import { TenantDatabase } from '../../src/foundation/database/tenant-database.js';
import { administer, createDatabase } from '../../src/foundation/database/server-admin.js';
import { AppLogger } from '../../src/foundation/logging/app-logger.js';
import { createLogger } from '../../src/foundation/logging/logger.js';
import { Clock } from '../../src/kernel/clock.js';
import type { Passing } from '../../src/erp-contract/http-proxy.js';
import { migrateAll } from '../../src/sandbox/launch/migrate-all.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { NO_LIMITS, storeInstallation } from '../support/connector-app.js';
import { expectExactExport } from '../support/exact-export.js';
import { PostgresPair } from './postgres-pair.js';
import { RunningPrograms } from '../support/running-programs.js';
import { signWebhook } from '../support/signed-webhook.js';

// The primary is killed with kill -9, the standby takes over: what was acknowledged is there, once, and service is back within a minute.

const WEBHOOKS = 10_000;
const SENDERS = 32;
const MAX_AWAY_MS = 60_000;

let folder: string;
let pair: PostgresPair;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'failover-'));
  pair = await PostgresPair.start(folder);
  await createDatabase(pair.primary.url('postgres'), 'drill');
  await migrateAll(pair.url('drill'));
}, 120_000);
afterEach(async () => {
  await pair.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

describe('a failover of the database', () => {
  it('in the middle of an export loses and duplicates nothing, and the export ends', async () => {
    const programs = await RunningPrograms.start({}, { url: pair.url('drill'), drop: () => Promise.resolve() });
    try {
      let failover: Promise<void> | undefined;
      let killedAt = 0;
      programs.ledgerProxy.boundaries = {
        onRequest: ({ method, path }: Passing) => {
          if (failover === undefined && method === 'POST' && path.endsWith('/posting-groups')) {
            killedAt = performance.now();
            failover = pair.failOver();
          }
          return true;
        },
      };
      await triggerExport(programs.clients.simulator);
      while (failover === undefined) {
        await programs.clock.sleep(50);
      }
      await failover;
      await programs.areAllReady();
      const awayMs = performance.now() - killedAt;
      process.stdout.write(`failover during an export: back after ${(awayMs / 1_000).toFixed(1)} s\n`);
      expect(awayMs).toBeLessThan(MAX_AWAY_MS);
      await expectExactExport(programs, await programs.eventualVerdict());
    } finally {
      await programs.stop();
    }
  }, 300_000);

  it('in the middle of 10,000 webhooks: each acknowledged one is stored exactly once', async () => {
    const config = loadConnectorConfig({
      DATABASE_URL: pair.url('drill'),
      LOG_LEVEL: 'silent',
      CREDENTIAL_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      ...NO_LIMITS,
    });
    const logger = createLogger('failover-drill', config.logging);
    const app = await createConnectorHttp({ config, logger, role: 'api' });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    const runtime = {
      database: app.get(TenantDatabase),
      tasks: app.get(TaskQueue),
      keys: app.get(KeyRingService),
      clock: app.get(Clock),
      logger: app.get(AppLogger),
    };
    const { companyId, endpointToken, secret } = await storeInstallation({ runtime });
    const deliver = async (id: string): Promise<number> => {
      const body = Buffer.from(
        JSON.stringify({ payload: { data: { companyId }, eventId: id, eventType: 'v1.something.else' } }),
      );
      const { headers } = signWebhook(secret, id, Math.floor(runtime.clock.now().getTime() / 1_000), body);
      const answer = await app.inject({ method: 'POST', url: `/webhooks/${endpointToken}`, headers, payload: body });
      return answer.statusCode;
    };
    // Acknowledged before the failover began, and during it.
    const acknowledged: string[] = [];
    const unanswered: string[] = [];
    let failover: Promise<void> | undefined;
    let killedAt = 0;
    let next = 0;
    let backAfterMs = 0;
    const send = async () => {
      while (next < WEBHOOKS) {
        const id = `msg_${(next += 1).toString()}`;
        const begunAt = performance.now();
        const status = await deliver(id);
        (status < 300 ? acknowledged : unanswered).push(id);
        if (failover === undefined && next > WEBHOOKS / 2) {
          killedAt = performance.now();
          failover = pair.failOver();
        }
        if (status < 300 && failover !== undefined && begunAt > killedAt && backAfterMs === 0) {
          backAfterMs = performance.now() - killedAt;
        }
        if (status >= 300) {
          // The platform, too, does not send on at once.
          await runtime.clock.sleep(50);
        }
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, send));
    await failover;
    const stored = async () =>
      (await administer(pair.standby.url('drill'), 'SELECT webhook_id FROM connector.notification')).map((row) =>
        String(row['webhook_id']),
      );
    const before = new Set(await stored());
    const lost = acknowledged.filter((id) => !before.has(id));
    // What got another answer is sent again, as the platform does.
    const refused = unanswered.length;
    while (unanswered.length > 0) {
      const id = unanswered.pop() ?? '';
      if ((await deliver(id)) >= 300) {
        unanswered.push(id);
        await runtime.clock.sleep(100);
      }
    }
    const all = await stored();
    process.stdout.write(
      `failover during ${WEBHOOKS.toString()} webhooks: ${lost.length.toString()} lost, ${(all.length - new Set(all).size).toString()} doubled, ` +
        `${refused.toString()} refused and sent again; taken again ${(backAfterMs / 1_000).toFixed(1)} s after the kill\n`,
    );
    await app.close();
    expect(lost).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(WEBHOOKS / 4);
    expect([all.length, new Set(all).size]).toEqual([WEBHOOKS, WEBHOOKS]);
    expect(backAfterMs).toBeLessThan(MAX_AWAY_MS);
  }, 300_000);
});
