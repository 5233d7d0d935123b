import { beforeEach, describe, expect, it } from '@jest/globals';
import { ALERT_KINDS } from '../../../../src/connector/alerts/domain/alert.js';
import { WebhookClient } from '../../../../src/foundation/http/client/webhook-client.js';
import { storeInstallation } from '../../../support/connector-app.js';
import { respondingWith, MisbehavingServer } from '../../../support/servers/misbehaving-server.js';
import { at, ConnectHarness, type Reply } from '../installations/connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// What an administrator sets, and what may not be set.

const harness = startedOnce(() => ConnectHarness.start());
const receiver = startedOnce(() => MisbehavingServer.start());
let token: string;
let id: string;

beforeEach(async () => {
  receiver.always(respondingWith(204, ''));
  ({ id } = await storeInstallation(harness.connector));
  token = await harness.token(id);
});

const read = () => harness.call('GET', '/api/v1/alert-settings', { token });
const save = (body: object, version = 0): Promise<Reply> =>
  harness.call('PUT', '/api/v1/alert-settings', {
    token,
    body: { kinds: ['export-failed'], ...body },
    headers: { 'if-match': `"${version.toString()}"` },
  });
const test = () => harness.call('POST', '/api/v1/alert-settings/test', { token });
const webhook = (path = '/a') => ({ channel: 'webhook', address: receiver.url + path });

describe('alert settings', () => {
  it('report before the first save that there is no recipient', async () => {
    const { status, json, headers } = await read();
    expect([status, headers['etag'], json]).toEqual([
      200,
      '"0"',
      { version: 0, channel: 'off', address: null, kinds: [...ALERT_KINDS], canSendMail: false },
    ]);
  });

  it('show the secret of a webhook once, and again only for a new one', async () => {
    const first = at((await save(webhook())).json, 'secret');
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await read()).text).not.toContain(String(first));
    expect(at((await save(webhook(), 1)).json, 'secret')).toBeNull();
    const renewed = at((await save({ ...webhook(), newSecret: true }, 2)).json, 'secret');
    const moved = at((await save(webhook('/b'), 3)).json, 'secret');
    expect(new Set([first, renewed, moved]).size).toBe(3);
    expect(moved).toMatch(/^whsec_/);
  });

  it('are saved with the version that was read, or not at all', async () => {
    const saved = await save(webhook());
    expect([saved.status, saved.headers['etag'], at(saved.json, 'version')]).toEqual([200, '"1"', 1]);
    const stale = await save({ channel: 'off' });
    expect([stale.status, at(stale.json, 'type')]).toEqual([412, 'urn:problem:version-changed']);
    expect((await save({ channel: 'off' }, 7)).status).toBe(412);
    const none = await harness.call('PUT', '/api/v1/alert-settings', {
      token,
      body: { channel: 'off', kinds: [] },
    });
    expect(none.status).toBe(428);
    expect(at((await read()).json, 'channel')).toBe('webhook');
    expect(at((await save({ channel: 'off' }, 1)).json, 'address')).toBeNull();
  });

  it('are not saved for an installation that is uninstalled at that moment', async () => {
    await harness.admin.query('BEGIN');
    await harness.admin.query(`UPDATE installation SET state = 'uninstalled' WHERE id = $1`, [id]);
    const progress = { isOver: false };
    const saving = save(webhook()).finally(() => {
      progress.isOver = true;
    });
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while (!progress.isOver && (await harness.admin.query(waiting)).rowCount === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await harness.admin.query('COMMIT');
    const { status, json } = await saving;
    expect([status, at(json, 'type')]).toEqual([404, 'urn:problem:not-found']);
    expect(await harness.row('SELECT count(*)::int FROM alert_setting WHERE installation_id = $1', id)).toEqual({
      count: 0,
    });
  });

  it('show the host and the end of a webhook’s address, and keep it when none is given', async () => {
    const host = new URL(receiver.url).host;
    const shown = `${host}…9876`;
    expect(at((await save(webhook('/services/T0/very-secret-9876'))).json, 'address')).toBe(shown);
    const { text, json } = await read();
    expect([at(json, 'address'), text.includes('very-secret')]).toEqual([shown, false]);
    const row = await harness.row('SELECT address, sealed_address FROM alert_setting WHERE installation_id = $1', id);
    expect(row).toEqual({ address: shown, sealed_address: expect.stringMatching(/^v2\./) });
    const kept = await save({ channel: 'webhook', kinds: ['sync-failed'] }, 1);
    expect([kept.status, at(kept.json, 'address'), at(kept.json, 'secret')]).toEqual([200, shown, null]);
    expect(at((await save({ channel: 'webhook', newSecret: true }, 2)).json, 'secret')).toMatch(/^whsec_/);
    expect((await test()).json).toEqual({ delivered: true, problem: null });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/services/T0/very-secret-9876']);
  });

  it('whose secrets cannot be decrypted report that, and are restored by saving the webhook again', async () => {
    await save(webhook());
    await harness.admin.query('DELETE FROM data_key WHERE installation_id = $1', [id]);
    const problem = 'its address and secret can no longer be decrypted: save the webhook again';
    expect((await test()).json).toEqual({ delivered: false, problem });
    expect(at((await save(webhook(), 1)).json, 'secret')).toMatch(/^whsec_/);
    expect((await test()).json).toEqual({ delivered: true, problem: null });
  });

  it('belong to one installation', async () => {
    await save(webhook());
    const other = await storeInstallation(harness.connector);
    const reply = await harness.call('GET', '/api/v1/alert-settings', {
      token: await harness.token(other.id),
    });
    expect(at(reply.json, 'version')).toBe(0);
  });

  it.each([
    [422, 'bad-alert-address', { channel: 'webhook', address: 'http://10.0.0.8/hook' }],
    [422, 'bad-alert-address', { channel: 'webhook', address: 'https://169.254.169.254/latest' }],
    [422, 'bad-alert-address', { channel: 'webhook', address: 'https://user:word@example.com/' }],
    [422, 'bad-alert-address', { channel: 'webhook', address: 'ftp://example.com/' }],
    [422, 'bad-alert-address', { channel: 'mail', address: 'not an address' }],
    [422, 'bad-alert-address', { channel: 'mail', address: 'a@example.com\r\nBcc: b@example.com' }],
    [422, 'no-mail-server', { channel: 'mail', address: 'books@example.com' }],
    [400, 'invalid-request', { channel: 'pigeon', address: 'x' }],
    [400, 'invalid-request', { channel: 'webhook', address: null }],
    [422, 'bad-alert-address', { channel: 'webhook' }],
    [400, 'invalid-request', { channel: 'off', kinds: ['no-such-kind'] }],
    [400, 'invalid-request', { channel: 'off', kinds: ['sync-failed', 'sync-failed'] }],
  ])('respond %i %s to %j and stay unchanged', async (status, type, body) => {
    const reply = await save(body);
    expect([reply.status, at(reply.json, 'type')]).toEqual([status, `urn:problem:${type}`]);
    expect(at((await read()).json, 'version')).toBe(0);
  });
});

describe('a test message', () => {
  it('is sent at once, with the result in the response', async () => {
    expect((await test()).json).toEqual({ delivered: false, problem: 'alerts are switched off' });
    await save(webhook());
    expect((await test()).json).toEqual({ delivered: true, problem: null });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/a']);
    expect(at(JSON.parse(receiver.requests[0]?.body ?? ''), 'data', 'alerts', 0, 'kind')).toBe('test');
    receiver.always(respondingWith(404, 'the secret of the inner page'));
    expect((await test()).json).toEqual({ delivered: false, problem: 'it answered 404' });
  });

  it('is sent at most three times in ten minutes per installation', async () => {
    await save(webhook());
    const replies = await Promise.all([test(), test(), test(), test()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
    const refused = await test();
    expect([refused.status, at(refused.json, 'type'), refused.headers['retry-after']]).toEqual([
      429,
      'urn:problem:too-many-tests',
      '600',
    ]);
    expect(receiver.requests).toHaveLength(3);
    await harness.admin.query(
      `UPDATE alert_setting SET tested_at = ARRAY (SELECT moment - interval '10 min' FROM unnest(tested_at) AS moment)
       WHERE installation_id = $1`,
      [id],
    );
    expect((await test()).status).toBe(200);
  });
});

describe('the list of alerts', () => {
  it('is paged, newest first', async () => {
    await harness.admin.query(
      `INSERT INTO alert (installation_id, id, kind, fact, raised_at, title, advice)
       SELECT $1, gen_random_uuid(), 'sync-failed', n::text, '2026-01-01'::timestamptz + n * interval '1 s', 'title ' || n, 'advice'
       FROM generate_series(1, 5) n`,
      [id],
    );
    const titles: unknown[] = [];
    let after = '';
    for (let page = 0; page < 3; page += 1) {
      const { json } = await harness.call('GET', `/api/v1/alerts?limit=2${after}`, { token });
      const data = at(json, 'data') as readonly { title: string }[];
      titles.push(data.map(({ title }) => title));
      after = `&after=${String(at(json, 'nextCursor'))}`;
    }
    expect(titles).toEqual([['title 5', 'title 4'], ['title 3', 'title 2'], ['title 1']]);
    const bad = await harness.call('GET', '/api/v1/alerts?after=nonsense', { token });
    expect([bad.status, at(bad.json, 'type')]).toEqual([400, 'urn:problem:invalid-cursor']);
  });
});

describe('the data export', () => {
  it('has alerts, their messages and recipients, without sealed values', async () => {
    await save(webhook('/services/very-secret-9876'));
    await harness.admin.query(
      `WITH message AS (
         INSERT INTO alert_message (installation_id, id, created_at, next_try_at) VALUES ($1, gen_random_uuid(), now(), now())
         RETURNING id)
       INSERT INTO alert (installation_id, id, kind, fact, raised_at, title, advice, message_id)
       SELECT $1, gen_random_uuid(), 'sync-failed', 'a', now(), 'a title', 'advice', id FROM message`,
      [id],
    );
    const { json, text } = await harness.call('GET', '/api/v1/installation/export', { token });
    expect(at(json, 'tables')).toMatchObject({
      alert_setting: [{ channel: 'webhook', address: `${new URL(receiver.url).host}…9876` }],
      alert_message: [{ attempts: 0 }],
      alert: [{ title: 'a title' }],
    });
    expect(text).not.toMatch(/very-secret|"v2\./);
  });
});

describe('in production', () => {
  const client = new WebhookClient({ production: true });
  const send = (address: string) =>
    client.send({ id: 'msg', address, secret: 'whsec_AAAA', at: new Date(0), body: '{}' });

  it.each(['http://example.com/', 'https://127.0.0.1:8443/', 'https://localhost:8443/', 'https://[::1]:8443/'])(
    '%s is neither accepted nor called',
    async (address) => {
      expect(await client.check(address)).toMatch(/^not-/);
      expect((await send(address))?.code).toMatch(/^delivery\.address\.not-/);
    },
  );

  it('the local machine is never called, whatever was saved', async () => {
    expect((await send(receiver.url))?.code).toMatch(/^delivery\.address\.not-/);
    expect(receiver.requests).toEqual([]);
  });
});
