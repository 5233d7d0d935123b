import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Role } from '../../../../src/connector/access/domain/role.js';
import { administer } from '../../../../src/foundation/database/server-admin.js';
import {
  createToken,
  startConnectorApp,
  storeInstallation,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { signWebhook } from '../../../support/signed-webhook.js';
import { startedOnce } from '../../../support/started-once.js';

const URL = '/api/v1/webhook-settings';
const HOUR_SECONDS = 3_600;

const connector = startedOnce(startConnectorApp);
let mine: StoredInstallation;
let other: StoredInstallation;

beforeEach(async () => {
  mine = await storeInstallation(connector, 'Mine');
  other = await storeInstallation(connector, 'Other');
});

async function call(
  method: 'GET' | 'PUT',
  role: 'viewer' | 'bookkeeper' | 'admin' | undefined,
  body?: object,
  installation = mine,
) {
  const answer = await connector.app.inject({
    method,
    url: URL,
    headers: role === undefined ? {} : { authorization: `Bearer ${await tokenOf(installation, role)}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  const json: unknown = answer.body === '' ? undefined : answer.json();
  return { status: answer.statusCode, type: answer.headers['content-type'], json };
}

const tokenOf = ({ id }: StoredInstallation, role: Role) => createToken(connector, id, role);

/** A message that is so many hours old, sent now. */
async function webhookStatus(installation: StoredInstallation, hoursOld: number): Promise<number> {
  const data = { id: randomUUID(), companyId: installation.companyId };
  const payload = { data, eventId: randomUUID(), eventType: 'v1.export-job.created' };
  const at = Math.floor(Date.now() / 1_000) - hoursOld * HOUR_SECONDS;
  const body = Buffer.from(JSON.stringify({ payload }));
  const message = signWebhook(installation.secret, `msg_${randomUUID()}`, at, body);
  const answer = await connector.app.inject({
    method: 'POST',
    url: `/webhooks/${installation.endpointToken}`,
    headers: message.headers,
    payload: message.body,
  });
  return answer.statusCode;
}

describe('the meaning of webhook-timestamp', () => {
  it('is the attempt by default', async () => {
    expect(await call('GET', 'viewer')).toMatchObject({ status: 200, json: { timestampMeaning: 'attempt' } });
    expect(await webhookStatus(mine, 30)).toBe(401);
  });

  it('is the generation once set: an old message is accepted, for this installation only', async () => {
    expect((await call('PUT', 'admin', { timestampMeaning: 'generation' })).status).toBe(204);
    expect(await call('GET', 'viewer')).toMatchObject({ json: { timestampMeaning: 'generation' } });
    expect(await call('GET', 'viewer', undefined, other)).toMatchObject({
      json: { timestampMeaning: 'attempt' },
    });
    expect(await webhookStatus(mine, 30)).toBe(202);
    expect(await webhookStatus(mine, 34)).toBe(401);
    expect(await webhookStatus(other, 30)).toBe(401);
  });

  it.each([
    [undefined, 401],
    ['viewer', 403],
    ['bookkeeper', 403],
  ] as const)('cannot be set by %s', async (role, status) => {
    const answer = await call('PUT', role, { timestampMeaning: 'generation' });
    expect(answer).toMatchObject({ status, type: expect.stringContaining('application/problem+json') });
    expect(await call('GET', 'viewer')).toMatchObject({ json: { timestampMeaning: 'attempt' } });
  });

  it.each([{}, { timestampMeaning: 'both' }, { timestampMeaning: null }, { meaning: 'attempt' }])(
    'cannot be set to %j',
    async (body) => {
      const answer = await call('PUT', 'admin', body);
      expect(answer).toMatchObject({
        status: 400,
        type: expect.stringContaining('application/problem+json'),
        json: { errors: expect.arrayContaining([expect.objectContaining({ pointer: '/timestampMeaning' })]) },
      });
    },
  );

  it('cannot be set before the first subscription', async () => {
    await administer(connector.server.url, `DELETE FROM connector.subscription WHERE installation_id = '${mine.id}'`);
    expect((await call('PUT', 'admin', { timestampMeaning: 'attempt' })).status).toBe(404);
    expect((await call('GET', 'viewer')).status).toBe(404);
  });
});
