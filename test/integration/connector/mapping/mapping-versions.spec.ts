import { beforeEach, describe, expect, it } from '@jest/globals';
import { accountRule, MappingHarness, SETTINGS, type MappingTenant } from './mapping-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const harness = startedOnce(() => MappingHarness.start());
let tenant: MappingTenant;

beforeEach(async () => {
  harness.erp.restore();
  tenant = await harness.addTenant();
});

const get = (path: string, of = tenant) => harness.send(of, 'GET', `/mapping${path}`, { as: 'viewer' });
const saveSettings = (seen: number, wallets: object, query = '') =>
  harness.send(tenant, 'PUT', `/settings${query}`, {
    as: 'admin',
    seen,
    body: { ...SETTINGS, accounts: { ...SETTINGS.accounts, wallets } },
  });
const change = (seen: number, body: object, query = '') =>
  harness.send(tenant, 'POST', `/mapping/rules/bulk${query}`, { seen, body });

async function fourVersions(): Promise<void> {
  await change(1, { upserts: [accountRule('1', '6071'), accountRule('2', '6071')] }, '?reason=first%20rules');
  await change(2, { upserts: [{ id: '1', ...accountRule('1', '6110') }], deletes: ['2'] });
  await saveSettings(3, { EUR: '1935', USD: '1936' }, '?reason=dollars');
}

describe('the number of versions', () => {
  const fill = (count: number, secondsAgo: number) =>
    harness.admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at)
       SELECT $1, n, settings, 'me', now() - make_interval(secs => $3) FROM mapping_version, generate_series(2, $2) n
       WHERE installation_id = $1 AND version = 1`,
      [tenant.installationId, count, secondsAgo],
    );

  it('in 24 hours is limited, and the refusal names the limit and what to do', async () => {
    await fill(999, 0);
    expect((await change(999, { upserts: [accountRule('1', '6071')] })).status).toBe(200);
    for (const save of [
      () => change(1_000, { upserts: [accountRule('2', '6071')] }),
      () => saveSettings(1_000, { EUR: '1936' }),
      () => harness.send(tenant, 'POST', '/mapping/versions/1/restore', { as: 'admin', seen: 1_000 }),
    ]) {
      const { status, type, body } = await save();
      expect([status, type, body['type']]).toEqual([429, 'application/problem+json', 'urn:problem:too-many-versions']);
      expect(body['detail']).toMatch(/Nothing was changed.* 1000 mapping versions .*Save many changes in one request/);
    }
    expect((await get('/versions?limit=1')).body).toMatchObject({ data: [{ version: 1_000 }] });
  });

  it('of earlier days is not limited', async () => {
    await fill(2_000, 24 * 60 * 60);
    expect((await change(2_000, { upserts: [accountRule('1', '6071')] })).status).toBe(200);
  });
});

describe('every saved version', () => {
  beforeEach(fourVersions);

  it('is in the history with author, reason and number of changes', async () => {
    const author: unknown = expect.stringMatching(/^token [0-9a-f-]{36}$/);
    const { body } = await get('/versions');
    const none = { added: 0, changed: 0, removed: 0 };
    expect(body).toMatchObject({
      data: [
        {
          version: 4,
          action: 'settings',
          author,
          reason: 'dollars',
          settingsChanged: true,
          rules: none,
          ruleCount: 1,
        },
        {
          version: 3,
          action: 'rules',
          reason: null,
          rules: { added: 0, changed: 1, removed: 1 },
          ruleCount: 1,
        },
        {
          version: 2,
          action: 'rules',
          reason: 'first rules',
          settingsChanged: false,
          rules: { added: 2 },
          ruleCount: 2,
        },
        {
          version: 1,
          action: 'settings',
          settingsChanged: true,
          rules: none,
          ruleCount: 0,
          restoredFrom: null,
        },
      ],
      nextCursor: null,
    });
  });

  it('is read page by page', async () => {
    const first = await get('/versions?limit=3');
    const second = await get(`/versions?limit=3&after=${String(first.body['nextCursor'])}`);
    expect([first.body['data'], second.body['data']]).toMatchObject([
      [{ version: 4 }, { version: 3 }, { version: 2 }],
      [{ version: 1 }],
    ]);
  });

  it('cannot be changed', async () => {
    const rules = async (version: number) => (await get(`/rules?version=${version.toString()}`)).body['data'];
    expect(await rules(2)).toMatchObject([{ id: '1', target: '6071' }, { id: '2' }]);
    expect(await rules(3)).toMatchObject([{ id: '1', target: '6110' }]);
    const { etag, body } = await get('/versions/2');
    expect(etag).toBe('"2"');
    expect(body).toMatchObject({
      settings: { accounts: { wallets: { EUR: '1935' } } },
      rulesUrl: '/api/v1/mapping/rules?version=2',
      diffUrl: '/api/v1/mapping/versions/1/diff/2',
    });
  });

  it.each([
    '/versions/9',
    '/versions/0',
    '/versions/x',
    '/versions/9/diff/1',
    '/versions/1/diff/9',
    '/versions/1/diff/x',
  ])('%s does not exist', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.body['detail']]).toEqual([404, 'There is no such mapping version.']);
  });

  it('is visible to the own installation only', async () => {
    const other = await harness.addTenant();
    expect((await get('/versions', other)).body['data']).toMatchObject([{ version: 1 }]);
    for (const path of ['/versions/4', '/versions/1/diff/4', '/rules?version=4', '/rules/export?version=4']) {
      expect([path, (await get(path, other)).status]).toEqual([path, 404]);
    }
  });
});

describe('the difference of two versions', () => {
  beforeEach(fourVersions);

  it('names settings and rules', async () => {
    expect((await get('/versions/2/diff/4')).body).toEqual({
      settings: [{ pointer: '/accounts/wallets/USD', before: null, after: '1936' }],
      counts: { added: 0, changed: 1, removed: 1 },
      rules: [
        expect.objectContaining({
          change: 'changed',
          id: '1',
          before: expect.objectContaining({ target: '6071' }),
          after: expect.objectContaining({ target: '6110' }),
        }),
        expect.objectContaining({ change: 'removed', id: '2', after: null }),
      ],
      nextCursor: null,
    });
  });

  it('is inverted in the other direction, and complete against no version', async () => {
    expect((await get('/versions/4/diff/2')).body).toMatchObject({
      settings: [{ pointer: '/accounts/wallets/USD', before: '1936', after: null }],
      counts: { added: 1, changed: 1, removed: 0 },
    });
    expect((await get('/versions/0/diff/1')).body).toMatchObject({
      settings: expect.arrayContaining([{ pointer: '/accounts/wallets/EUR', before: null, after: '1935' }]),
      counts: { added: 0 },
    });
    expect((await get('/versions/3/diff/3')).body).toMatchObject({ settings: [], rules: [] });
  });

  it('is read page by page', async () => {
    const first = await get('/versions/2/diff/4?limit=1');
    const second = await get(`/versions/2/diff/4?limit=1&after=${String(first.body['nextCursor'])}`);
    expect([first.body['rules'], second.body['rules']]).toMatchObject([[{ id: '1' }], [{ id: '2' }]]);
    expect(second.body['counts']).toEqual({ added: 0, changed: 1, removed: 1 });
  });
});

describe('restoring a version', () => {
  const restore = (seen: number, version: string, query = '', as: 'admin' | 'bookkeeper' = 'admin') =>
    harness.send(tenant, 'POST', `/mapping/versions/${version}/restore${query}`, { as, seen });
  beforeEach(fourVersions);

  it('makes a new version with that content, under the same numbers', async () => {
    const restored = await restore(4, '2', '?reason=too%20early');
    expect([restored.status, restored.etag, restored.body]).toEqual([200, '"5"', { version: 5 }]);
    expect((await get('/versions/2/diff/5')).body).toMatchObject({ settings: [], rules: [] });
    expect((await get('/versions/5')).body).toMatchObject({
      action: 'restore',
      restoredFrom: 2,
      reason: 'too early',
      settingsChanged: true,
      rules: { added: 1, changed: 1, removed: 0 },
      ruleCount: 2,
    });
    expect((await get('/rules?version=4')).body['data']).toMatchObject([{ id: '1', target: '6110' }]);
  });

  it('that is current already creates no version', async () => {
    expect((await restore(4, '4')).body).toEqual({ version: 4 });
  });

  it('requires the newest version and an existing one', async () => {
    expect((await restore(3, '2')).status).toBe(412);
    expect((await restore(4, '9')).status).toBe(404);
    expect((await restore(4, '0')).status).toBe(404);
    const unseen = await harness.send(tenant, 'POST', '/mapping/versions/2/restore', { as: 'admin' });
    expect(unseen.status).toBe(428);
    expect((await restore(4, '2', '', 'bookkeeper')).status).toBe(403);
  });
});

it.each(['a%00b', 'x'.repeat(501), 'a&reason=b', '%0A'])('the reason %.10s is refused', async (reason) => {
  expect((await change(1, { upserts: [accountRule('1', '6071')] }, `?reason=${reason}`)).status).toBe(400);
});

describe('the database', () => {
  beforeEach(fourVersions);
  const outcome = async (statement: string, values: readonly unknown[] = []) => {
    try {
      await harness.admin.query(statement, [tenant.installationId, ...values]);
      return 'done';
    } catch (error) {
      return Reflect.get(Object(error), 'constraint') as unknown;
    }
  };
  const INSERT = `INSERT INTO mapping_rule (installation_id, id, from_version, subject, source, target, identity) VALUES`;

  it('accepts no change of the rules of a saved version', async () => {
    expect([
      await outcome(`${INSERT} ($1, 7, 4, 'account', 'x', '6071', sha256('x'))`),
      await outcome(`UPDATE mapping_rule SET until_version = 4 WHERE installation_id = $1 AND until_version IS NULL`),
      await outcome(`UPDATE mapping_rule SET until_version = NULL WHERE installation_id = $1 AND until_version = 3`),
      await outcome(`UPDATE mapping_rule SET target = '5410' WHERE installation_id = $1 AND id = 1`),
    ]).toEqual([
      'mapping_rule_version_is_new_ck',
      'mapping_rule_version_is_new_ck',
      'mapping_rule_is_kept_ck',
      'mapping_rule_is_kept_ck',
    ]);
  });

  it.each([
    [
      'two rules for the same',
      `(8, 'account', NULL, 'x', NULL, NULL, NULL, NULL, '1'), (9, 'account', NULL, 'x', NULL, NULL, NULL, NULL, '1')`,
      'mapping_rule_identity_uq',
    ],
    ['a tag without a group', `(8, 'tag', NULL, 'x', NULL, NULL, NULL, 'CC', '1')`, 'mapping_rule_groups_ck'],
    ['an account with one', `(8, 'account', 'CC', 'x', NULL, NULL, NULL, NULL, '1')`, 'mapping_rule_groups_ck'],
    ['a tag condition without a type', `(8, 'account', NULL, 'x', NULL, 'CC', '1', NULL, '1')`, 'mapping_rule_tag_ck'],
    ['a vendor', `(8, 'vendor', NULL, 'x', NULL, NULL, NULL, NULL, '1')`, 'mapping_rule_subject_ck'],
  ])('refuses %s', async (_, rows, constraint) => {
    const statement = `WITH version AS (
        INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 5, '{}', 'test', now())
        RETURNING version)
      INSERT INTO mapping_rule (installation_id, id, from_version, subject, source_group, source, item_type, tag_group, tag,
        target_group, target, identity)
      SELECT $1, rule.id, version, subject, source_group, source, item_type, tag_group, tag, target_group, target, sha256('x')
      FROM version, (VALUES ${rows}) AS rule (id, subject, source_group, source, item_type, tag_group, tag, target_group, target)`;
    expect(await outcome(statement)).toBe(constraint);
  });

  it('lets the application neither change nor delete a rule', async () => {
    await harness.admin.query('SET ROLE connector_app');
    const denied = [
      `UPDATE mapping_rule SET target = 'x'`,
      `DELETE FROM mapping_rule`,
      `TRUNCATE mapping_rule`,
      `UPDATE mapping_version SET reason = 'x'`,
    ];
    for (const statement of denied) {
      await expect(harness.admin.query(statement)).rejects.toThrow('permission denied');
    }
    expect((await harness.admin.query('SELECT FROM mapping_rule')).rowCount).toBe(0);
    await harness.admin.query('RESET ROLE');
  });
});
