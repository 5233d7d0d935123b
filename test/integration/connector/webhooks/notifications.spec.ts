import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sql } from '../../../../src/foundation/database/sql.js';
import { DeleteOldBodies } from '../../../../src/connector/webhooks/delete-old-bodies.js';
import { storeInstallation, type StoredInstallation } from '../../../support/connector-app.js';
import { at, ConnectHarness } from '../installations/connect-harness.js';
import { jobCreated, signedBy } from './webhook-sender.js';
import { startedOnce } from '../../../support/started-once.js';

// What an administrator sees of the platform's messages, and replaying one (I25).

const LIST = '/api/v1/notifications';

const harness = startedOnce(() => ConnectHarness.start());
let mine: StoredInstallation;
let token: string;

beforeEach(async () => {
  mine = await storeInstallation(harness.connector);
  token = await harness.token(mine.id);
});

async function send(body: Buffer, id = `msg_${randomUUID()}`, installation = mine): Promise<number> {
  const { headers } = signedBy(installation, body, id);
  const url = `/webhooks/${installation.endpointToken}`;
  return (await harness.connector.app.inject({ method: 'POST', url, headers, payload: body })).statusCode;
}

async function list(query = ''): Promise<readonly unknown[]> {
  const answer = await harness.call('GET', `${LIST}${query}`, { token });
  expect(answer.status).toBe(200);
  return at(answer.json, 'data') as readonly unknown[];
}

const replay = (id: unknown, caller = token) =>
  harness.call('POST', `${LIST}/${encodeURIComponent(String(id))}/replay`, { token: caller });

describe('the list of notifications', () => {
  it('shows each message with its state, without the body', async () => {
    await send(jobCreated(mine.companyId), 'msg_good');
    await send(jobCreated(mine.companyId, {}, { eventType: 'v1.something.else' }), 'msg_other');
    await send(jobCreated(mine.companyId, {}, { eventType: 'v1.vendor.created' }), 'msg_vendor');
    await send(Buffer.from('{"payload":"a-secret-text"}'), 'msg_bad');
    await send(jobCreated(randomUUID()), 'msg_foreign');
    const answer = await harness.call('GET', LIST, { token: await harness.token(mine.id, 'viewer') });
    const states = (at(answer.json, 'data') as readonly unknown[]).map((one) => [
      at(one, 'webhookId'),
      at(one, 'state'),
      at(one, 'eventType'),
      at(one, 'reason'),
    ]);
    expect(states).toEqual([
      ['msg_foreign', 'quarantined', null, 'foreign-company'],
      ['msg_bad', 'quarantined', null, 'malformed'],
      ['msg_vendor', 'taken', 'v1.vendor.created', null],
      ['msg_other', 'ignored', 'v1.something.else', null],
      ['msg_good', 'taken', 'v1.export-job.created', null],
    ]);
    expect(answer.text).not.toMatch(/a-secret-text|whsec_|numberOfItems/);
  });

  it.each([
    ['taken', ['msg_1', 'msg_0']],
    ['quarantined', ['msg_3', 'msg_2']],
    ['ignored', []],
    ['replayed', []],
  ])('of state %s', async (state, ids) => {
    await send(jobCreated(mine.companyId), 'msg_0');
    await send(jobCreated(mine.companyId), 'msg_1');
    await send(Buffer.from('{}'), 'msg_2');
    await send(Buffer.from('[]'), 'msg_3');
    expect((await list(`?state=${state}`)).map((one) => at(one, 'webhookId'))).toEqual(ids);
  });

  it('is paged by cursor over both kinds, without gaps or duplicates', async () => {
    const sent = Array.from({ length: 9 }, (_, index) => `msg_${index.toString()}`);
    for (const [index, id] of sent.entries()) {
      await send(index % 2 === 0 ? jobCreated(mine.companyId) : Buffer.from('{}'), id);
    }
    // Three pairs of the same moment: the id decides there.
    await harness.admin.query(
      `UPDATE quarantined_notification SET received_at = date_trunc('minute', received_at) WHERE installation_id = $1`,
      [mine.id],
    );
    const seen: unknown[] = [];
    let after = '';
    for (let page = 0; page < 6; page += 1) {
      const answer = await harness.call('GET', `${LIST}?limit=2${after}`, { token });
      seen.push(...(at(answer.json, 'data') as readonly unknown[]).map((one) => at(one, 'webhookId')));
      const cursor = at(answer.json, 'nextCursor');
      if (typeof cursor !== 'string') {
        break;
      }
      after = `&after=${encodeURIComponent(cursor)}`;
    }
    expect([...seen].sort()).toEqual(sent);
  });

  it('shows nothing of another tenant', async () => {
    const other = await storeInstallation(harness.connector, 'Other');
    await send(Buffer.from('{}'), 'msg_theirs', other);
    await send(jobCreated(other.companyId), 'msg_theirs_too', other);
    expect(await list()).toEqual([]);
  });

  it.each(['state=lost', 'limit=0', 'limit=1001', 'after=forged', 'after=WyJhIiwiYiJd', 'more=1'])(
    'with ?%s is a bad request',
    async (query) => {
      expect((await harness.call('GET', `${LIST}?${query}`, { token })).status).toBe(400);
    },
  );
});

describe('a replay', () => {
  const idOf = async () => at((await list())[0], 'id');

  it('of an accepted message queues it again', async () => {
    await send(jobCreated(mine.companyId));
    const tasks = () =>
      harness.row(
        `SELECT count(*)::int FROM pgboss.job WHERE name = 'handle-notification' AND data->>'installationId' = $1`,
        mine.id,
      );
    await harness.admin.query(`DELETE FROM pgboss.job`);
    await harness.admin.query(`UPDATE installation SET next_poll_at = now() + interval '1 hour' WHERE id = $1`, [
      mine.id,
    ]);
    const answer = await replay(await idOf());
    expect([answer.status, at(answer.json, 'outcome')]).toEqual([202, 'requeued']);
    expect(await tasks()).toEqual({ count: 1 });
    expect(await harness.row('SELECT next_poll_at <= now() AS due FROM installation WHERE id = $1', mine.id)).toEqual({
      due: true,
    });
  });

  it('of one that is still malformed quarantines it again', async () => {
    await send(Buffer.from('{}'));
    const answer = await replay(await idOf());
    expect([answer.status, at(answer.json, 'outcome')]).toEqual([202, 'quarantined']);
    expect(await list('?state=quarantined')).toHaveLength(1);
  });

  it('of one that is valid now accepts it, once', async () => {
    const companyId = randomUUID();
    expect(await send(jobCreated(companyId), 'msg_early')).toBe(422);
    await harness.admin.query('UPDATE installation SET platform_company_id = $2 WHERE id = $1', [mine.id, companyId]);
    const id = await idOf();
    expect(at((await replay(id)).json, 'outcome')).toBe('stored');
    expect(at((await replay(id)).json, 'outcome')).toBe('duplicate');
    const states = (await list()).map((one) => at(one, 'state'));
    expect([...states].sort()).toEqual(['replayed', 'taken']);
  });

  it('of one older than a week reports that its body was deleted', async () => {
    await send(Buffer.from('{"payload":1}'));
    const id = await idOf();
    const deleteOldBodies = harness.connector.app.get(DeleteOldBodies, { strict: false });
    const body = () =>
      harness.row('SELECT body IS NULL AS gone FROM quarantined_notification WHERE installation_id = $1', mine.id);
    await deleteOldBodies.deleteOld();
    expect(await body()).toEqual({ gone: false });
    await harness.admin.query(
      `UPDATE quarantined_notification SET body_kept_until = now() - interval '1 second' WHERE installation_id = $1`,
      [mine.id],
    );
    await deleteOldBodies.deleteOld();
    expect(await body()).toEqual({ gone: true });
    expect((await replay(id)).status).toBe(410);
    expect(await list()).toHaveLength(1);
  });

  it('rejects a body that the scheduler has written', async () => {
    await send(Buffer.from('{"payload":1}'));
    const forged = harness.connector.runtime.database.acrossInstallations('forge', (tx) =>
      tx.execute(sql`UPDATE quarantined_notification SET body = 'forged', body_kept_until = now()`),
    );
    await expect(forged).rejects.toThrow('row-level security');
  });

  it('of another tenant’s or an unknown message finds nothing', async () => {
    const other = await storeInstallation(harness.connector, 'Other');
    await send(jobCreated(mine.companyId));
    await send(Buffer.from('{}'));
    const theirs = await harness.token(other.id);
    for (const one of await list()) {
      expect((await replay(at(one, 'id'), theirs)).status).toBe(404);
    }
    for (const id of [
      'x',
      'accepted.x',
      'accepted.',
      `quarantine.${randomUUID()}`,
      'quarantine.x',
      '../x',
      'accepted.a.b',
    ]) {
      expect((await replay(id)).status).toBe(404);
    }
  });

  it.each(['viewer', 'bookkeeper'] as const)('is not accessible to the role %s', async (role) => {
    expect((await replay('accepted.x', await harness.token(mine.id, role))).status).toBe(403);
  });
});
