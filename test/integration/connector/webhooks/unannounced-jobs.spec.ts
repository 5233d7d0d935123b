import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { NotificationReader } from '../../../../src/connector/webhooks/notification.reader.js';
import { startConnectorApp, storeInstallation, type StoredInstallation } from '../../../support/connector-app.js';
import { signWebhook } from '../../../support/signed-webhook.js';
import { startedOnce } from '../../../support/started-once.js';

// Jobs that the platform should have announced and has not, as reconciliation asks long after the last delivery.

const connector = startedOnce(startConnectorApp);
let mine: StoredInstallation;
let job: string;

beforeEach(async () => {
  mine = await storeInstallation(connector);
  job = randomUUID();
  await connector.admin.query(`UPDATE installation SET activated_at = '2026-03-01' WHERE id = $1`, [mine.id]);
});

/** @param id of the announced job; undefined: a message without a resource id */
async function announce(id: string | undefined): Promise<void> {
  const data = { id, companyId: mine.companyId };
  const payload = { data, eventId: randomUUID(), eventType: 'v1.export-job.created' };
  const body = Buffer.from(JSON.stringify({ payload }));
  const at = Math.floor(Date.now() / 1_000);
  const message = signWebhook(mine.secret, `msg_${randomUUID()}`, at, body);
  const url = `/webhooks/${mine.endpointToken}`;
  const { headers } = message;
  const answer = await connector.app.inject({ method: 'POST', url, headers, payload: message.body });
  expect(answer.statusCode).toBe(202);
}

async function isUnannounced(createdAt = '2026-03-02T10:00:00Z'): Promise<boolean> {
  const notificationReader = connector.app.get(NotificationReader, { strict: false });
  return notificationReader.isJobUnannounced(mine.id, job, new Date(createdAt));
}

it('a job is unannounced until a message names it', async () => {
  await announce(randomUUID());
  expect(await isUnannounced()).toBe(true);
  await announce(job);
  expect(await isUnannounced()).toBe(false);
});

it('a message to another company announces nothing', async () => {
  const [owner, other] = [mine, await storeInstallation(connector)];
  mine = other;
  await announce(job);
  mine = owner;
  expect(await isUnannounced()).toBe(true);
});

it('a message without a resource id may announce any earlier job', async () => {
  await announce(undefined);
  expect(await isUnannounced()).toBe(false);
  expect(await isUnannounced('2126-03-02T10:00:00Z')).toBe(true);
});

it('a job from before the connection is not expected to be announced', async () => {
  expect(await isUnannounced('2026-02-28T10:00:00Z')).toBe(false);
});

it.each([`platform_subscription_id = NULL`, `wanted_status = 'INACTIVE'`])(
  'no message can be expected where %s',
  async (change) => {
    await connector.admin.query(`UPDATE subscription SET ${change} WHERE installation_id = $1`, [mine.id]);
    expect(await isUnannounced()).toBe(false);
  },
);
