import { beforeEach, describe, expect, it } from '@jest/globals';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { accountRule, MappingHarness, type MappingResponse, type MappingTenant } from './mapping-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const harness = startedOnce(() => MappingHarness.start());
let tenant: MappingTenant;

beforeEach(async () => {
  harness.erp.restore();
  tenant = await harness.addTenant();
});

const create = (seen: number, body: object, query = '') =>
  harness.send(tenant, 'POST', `/mapping/rules${query}`, { seen, body });
const list = (query = '', of = tenant) => harness.send(of, 'GET', `/mapping/rules${query}`, { as: 'viewer' });
const idsIn = ({ body }: MappingResponse) => (body['data'] as readonly { id: string }[]).map(({ id }) => id);
const EMPTY = { sourceGroup: null, itemType: null, tagGroup: null, tag: null, targetGroup: null };

describe('a rule', () => {
  it('is created, read, replaced and deleted, each as a version', async () => {
    const created = await create(1, accountRule('404', '6071'));
    const rule = { id: '1', subject: 'account', source: '404', target: '6071', ...EMPTY };
    expect([created.status, created.etag, created.body]).toEqual([201, '"2"', { ...rule, version: 2 }]);

    const replaced = await harness.send(tenant, 'PUT', '/mapping/rules/1', {
      seen: 2,
      body: accountRule(' 404 ', '6110', { itemType: 'fee', tagGroup: 'CC', tag: '100' }),
    });
    const after = { ...rule, target: '6110', itemType: 'fee', tagGroup: 'CC', tag: '100', version: 3 };
    expect([replaced.status, replaced.etag, replaced.body]).toEqual([200, '"3"', after]);

    const removed = await harness.send(tenant, 'DELETE', '/mapping/rules/1', { seen: 3 });
    expect([removed.status, removed.body]).toEqual([200, { version: 4, ids: [] }]);

    const read = async (version: number) =>
      (await harness.send(tenant, 'GET', `/mapping/rules/1?version=${version.toString()}`)).body['target'];
    expect([await read(2), await read(3), await read(4)]).toEqual(['6071', '6110', undefined]);
  });

  it('for a tag names its groups', async () => {
    const tag = { subject: 'tag', sourceGroup: 'Team', source: 'North', targetGroup: 'cc', target: 'NORD' };
    const { status, body } = await create(1, tag);
    expect([status, body]).toEqual([201, { ...EMPTY, ...tag, id: '1', version: 2 }]);
  });

  it('gets a number that no other rule has had', async () => {
    await create(1, accountRule('1', '6071'));
    await harness.send(tenant, 'DELETE', '/mapping/rules/1', { seen: 2 });
    expect((await create(3, accountRule('1', '6071'))).body['id']).toBe('2');
  });

  it('that is replaced by an equal one creates no version', async () => {
    await create(1, accountRule('404', '6071'));
    const again = await harness.send(tenant, 'PUT', '/mapping/rules/1', {
      seen: 2,
      body: accountRule('404', '6071'),
    });
    expect([again.status, again.etag]).toEqual([200, '"2"']);
  });

  it.each([
    ['an unknown subject', { subject: 'vendor', source: '1', target: '6071' }, '/subject', 'unknown-subject'],
    ['a blank source', accountRule(' ', '6071'), '/source', 'missing'],
    ['no group of a tag', { subject: 'tag', source: '1', target: '100' }, '/sourceGroup', 'missing'],
    ['a group of an account', accountRule('1', '6071', { sourceGroup: 'CC' }), '/sourceGroup', 'not-for-subject'],
    ['a tag without item type', accountRule('1', '6071', { tagGroup: 'CC', tag: '1' }), '/itemType', 'missing'],
    ['half a tag', accountRule('1', '6071', { itemType: 'fee', tag: '1' }), '/tagGroup', 'missing'],
    ['an odd item type', accountRule('1', '6071', { itemType: 'Fee!' }), '/itemType', 'malformed-item-type'],
    ['a zero-width blank', accountRule('a\u200bb', '6071'), '/source', 'unreadable-character'],
    ['256 characters', accountRule('x'.repeat(256), '6071'), '/source', 'too-long'],
    ['an account the ERP does not have', accountRule('1', '4711'), '/target', 'target-missing'],
    ['an account that is not active', accountRule('1', '9999'), '/target', 'target-inactive'],
  ])('with %s is refused', async (_, body, pointer, code) => {
    const answer = await create(1, body);
    expect([answer.status, answer.type]).toEqual([422, 'application/problem+json']);
    expect(MappingHarness.problemsOf(answer)).toContainEqual([pointer, code]);
    expect((await list()).etag).toBe('"1"');
  });

  it.each([
    ['a NUL', accountRule('a\u0000b', '6071')],
    ['half a character', accountRule('a\ud800', '6071')],
  ])('with %s is refused before it is read', async (_, body) => {
    const answer = await create(1, body);
    expect([answer.status, answer.type]).toEqual([422, 'application/problem+json']);
    expect(answer.body).toMatchObject({
      type: 'urn:problem:unusable-text',
      errors: [{ pointer: '/source' }],
    });
    expect((await list()).etag).toBe('"1"');
  });

  it.each([
    ['another property', accountRule('1', '6071', { id: '7' })],
    ['a number for a text', accountRule('1', '6071', { target: 6071 })],
    ['a list', [accountRule('1', '6071')]],
  ])('with %s is a bad request', async (_, body) => {
    expect((await create(1, body)).status).toBe(400);
  });

  it('with the key of another rule is refused, with both named', async () => {
    await create(1, {
      subject: 'tag',
      sourceGroup: 'Team',
      source: 'North',
      targetGroup: 'CC',
      target: '100',
    });
    const body = { subject: 'tag', sourceGroup: 'TEAM', source: 'north', targetGroup: 'CC', target: '200' };
    const answer = await create(2, body);
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/source', code: 'overlap' }] },
    });
    expect(answer.text).toContain('This one and rule 1 are both for tag north of group TEAM');
  });

  it('is not looked up in an ERP that is not linked yet', async () => {
    const unlinked = await harness.addTenant({ linked: false });
    const answer = await harness.send(unlinked, 'POST', '/mapping/rules', {
      seen: 1,
      body: accountRule('1', '4711'),
    });
    expect(answer.status).toBe(201);
  });

  it('is not saved while the ERP does not respond', async () => {
    harness.erp.failure = { kind: 'unreachable', message: 'connection refused' };
    const answer = await create(1, accountRule('1', '6071'));
    expect([answer.status, answer.body['type']]).toEqual([503, 'urn:problem:erp-unavailable']);
    expect((await list()).etag).toBe('"1"');
  });

  it('requires saved settings', async () => {
    const fresh = await harness.addTenant({ settings: false });
    const answer = await harness.send(fresh, 'POST', '/mapping/rules', {
      seen: 0,
      body: accountRule('1', '6071'),
    });
    expect([answer.status, answer.body['type']]).toEqual([409, 'urn:problem:settings-missing']);
  });
});

describe('a concurrent edit', () => {
  it.each([
    ['POST', '/mapping/rules', accountRule('2', '6071')],
    ['POST', '/mapping/rules/bulk', { deletes: ['1'] }],
    ['PUT', '/mapping/rules/1', accountRule('2', '6071')],
    ['DELETE', '/mapping/rules/1', undefined],
  ] as const)('is reported to %s %s', async (method, path, body) => {
    await create(1, accountRule('1', '6071'));
    const content = body === undefined ? {} : { body };
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await harness.send(tenant, method, path, { headers, ...content })).status;
    expect(await status({})).toBe(428);
    expect(await status({ 'if-match': '*' })).toBe(412);
    expect(await status({ 'if-match': '"1"' })).toBe(412);
    expect(await status({ 'if-match': '"3"' })).toBe(412);
    expect(await status({ 'if-match': '"2"' })).toBeLessThan(300);
  });

  it('by fifty people at once is saved once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create(1, accountRule(index.toString(), '6071'))),
    );
    const others = answers.map(({ status }) => status).filter((status) => status !== 201);
    expect(others).toHaveLength(49);
    // 503: on a busy machine one may wait too long for its turn.
    expect(others.filter((status) => status !== 412 && status !== 503)).toEqual([]);
    expect(idsIn(await list())).toEqual(['1']);
  });
});

describe('rules of another installation', () => {
  it('are not found', async () => {
    await create(1, accountRule('1', '6071'));
    await create(2, accountRule('2', '6071'));
    const other = await harness.addTenant();
    await harness.send(other, 'POST', '/mapping/rules', { seen: 1, body: accountRule('1', '6110') });
    for (const id of ['2', '99', '0', 'x', '1e0', '99999999999']) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const body = method === 'PUT' ? { body: accountRule('9', '6110') } : {};
        const answer = await harness.send(other, method, `/mapping/rules/${id}`, { seen: 2, ...body });
        expect([id, method, answer.status, answer.body['detail']]).toEqual([id, method, 404, 'There is no such rule.']);
      }
    }
    expect(idsIn(await list('', other))).toEqual(['1']);
    const cursor = String((await list('?limit=1')).body['nextCursor']);
    expect((await list(`?limit=1&after=${cursor}`, other)).status).toBe(400);
    expect((await list()).body['data']).toMatchObject([{ target: '6071' }, { target: '6071' }]);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    const rules = ['5410', '5611', '6070', '6071'].map((source) => accountRule(source, '6110'));
    const tag = { subject: 'tag', sourceGroup: 'Team_A', source: '100%', targetGroup: 'CC', target: '100' };
    await harness.send(tenant, 'POST', '/mapping/rules/bulk', {
      seen: 1,
      body: { upserts: [...rules, tag] },
    });
  });

  it('is paged, with all pages of one version', async () => {
    const first = await list('?limit=2');
    expect([first.etag, idsIn(first)]).toEqual(['"2"', ['1', '2']]);
    await harness.send(tenant, 'DELETE', '/mapping/rules/3', { seen: 2 });
    const second = await list(`?limit=2&after=${String(first.body['nextCursor'])}`);
    expect([second.etag, idsIn(second)]).toEqual(['"2"', ['3', '4']]);
    expect(idsIn(await list())).toEqual(['1', '2', '4', '5']);
  });

  it.each([
    ['subject=tag', ['5']],
    ['search=607', ['3', '4']],
    ['search=team_a', ['5']],
    ['search=m_a', ['5']],
    ['search=%25', ['5']],
    ['search=%5C', []],
    ['search=6110&subject=account', ['1', '2', '3', '4']],
    ['version=1', []],
  ])('with %s', async (query, ids) => {
    expect(idsIn(await list(`?${query}`))).toEqual(ids);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'subject=x',
    'search=',
    'search=a%00',
    'after=x',
    'version=0',
    'x=1',
    'search=a&search=b',
  ])('with %s is a bad request', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  it('of an unknown version is not found', async () => {
    expect((await list('?version=9')).status).toBe(404);
  });
});

describe('many rules at once', () => {
  const change = (seen: number, body: object) => harness.send(tenant, 'POST', '/mapping/rules/bulk', { seen, body });

  it('are saved as one version', async () => {
    const added = await change(1, {
      upserts: [accountRule('1', '6071'), accountRule('2', '6071'), accountRule('3', '6071')],
    });
    expect([added.status, added.body]).toEqual([200, { version: 2, ids: ['1', '2', '3'] }]);
    const mixed = await change(2, {
      upserts: [
        // Two rules swap what they are for: neither is in the other's way.
        { id: '1', ...accountRule('2', '6071') },
        { id: '2', ...accountRule('1', '6071') },
        accountRule('4', '6110'),
      ],
      deletes: ['3'],
    });
    expect(mixed.body).toEqual({ version: 3, ids: ['1', '2', '4'] });
    expect((await list()).body['data']).toMatchObject([
      { id: '1', source: '2' },
      { id: '2', source: '1' },
      { id: '4', source: '4' },
    ]);
  });

  it('are saved all or none, with every error reported', async () => {
    await create(1, accountRule('1', '6071'));
    const answer = await change(2, {
      upserts: [
        accountRule('5', '6071'),
        accountRule('5', '6110'),
        accountRule('1', '6110'),
        accountRule('6', '4711'),
        { id: '9', ...accountRule('7', '6071') },
      ],
      deletes: ['8'],
    });
    expect(answer.status).toBe(422);
    expect(MappingHarness.problemsOf(answer)).toEqual([
      ['/upserts/4', 'unknown-rule'],
      ['/deletes/0', 'unknown-rule'],
      ['/upserts/1/source', 'overlap'],
      ['/upserts/2/source', 'overlap'],
      ['/upserts/3/target', 'target-missing'],
    ]);
    expect(answer.text).toContain('entry 1 of this request');
    expect((await list()).etag).toBe('"2"');
  });

  it('name each rule once', async () => {
    await create(1, accountRule('1', '6071'));
    const answer = await change(2, { upserts: [{ id: '1', ...accountRule('2', '6071') }], deletes: ['1'] });
    expect(MappingHarness.problemsOf(answer)).toEqual([['/deletes/0', 'named-twice']]);
  });

  it('are at most 1000', async () => {
    const upserts = Array.from({ length: 1_000 }, (_, index) =>
      accountRule(`${'k'.repeat(240)}${index.toString()}`, '6071'),
    );
    expect((await change(1, { upserts, deletes: ['1'] })).status).toBe(400);
    expect((await change(1, { upserts: [...upserts, accountRule('x', '6071')] })).status).toBe(400);
    expect((await change(1, {})).status).toBe(400);
    const { status, body } = await change(1, { upserts });
    expect([status, (body['ids'] as readonly string[]).length]).toEqual([200, 1_000]);
  });

  it.each([
    [{ upserts: {} }],
    [{ deletes: ['x'] }],
    [{ deletes: [1] }],
    [{ upserts: [{ subject: 'account' }] }],
    [{ upserts: [{ ...accountRule('1', '6071'), extra: 1 }] }],
  ])('as %j are a bad request', async (body) => {
    expect((await change(1, body)).status).toBe(400);
  });
});

describe('findings', () => {
  const findings = (query = '') => harness.send(tenant, 'GET', `/mapping/rules/findings${query}`, { as: 'viewer' });

  it('name rules whose target was archived, and rules that decide nothing', async () => {
    await harness.send(tenant, 'POST', '/mapping/rules/bulk', {
      seen: 1,
      body: {
        upserts: [
          accountRule('404', '6071'),
          accountRule('404', '6110', { itemType: 'wallet_topup' }),
          accountRule('405', '6110'),
        ],
      },
    });
    const accounts = companyData.accounts.map((one) => ({
      ...one,
      active: one.active && one.code !== '6071',
    }));
    harness.erp.masterData = { ...companyData, accounts };
    const { body } = await findings();
    expect(body).toMatchObject({
      version: 2,
      targetsChecked: true,
      data: [
        {
          ruleId: '1',
          effect: 'fails-items',
          code: 'target-inactive',
          rule: { id: '1', subject: 'account', source: '404', target: '6071', itemType: null },
        },
        { ruleId: '2', effect: 'never-applies', code: 'item-type-without-lines' },
      ],
      nextCursor: null,
    });
    const headers = { 'accept-language': 'de' };
    const inGerman = await harness.send(tenant, 'GET', '/mapping/rules/findings', { as: 'viewer', headers });
    expect(inGerman.body['data']).toMatchObject([
      { message: { code: 'rule-target.inactive', text: expect.stringMatching(/^Das Konto 6071 .*ist nicht aktiv/) } },
      { message: { text: expect.stringMatching(/^Bei Aufladung des Guthabens wird nur die Summe gebucht/) } },
    ]);
    const first = await findings('?limit=1');
    const second = await findings(`?limit=1&after=${String(first.body['nextCursor'])}`);
    expect(second.body['data']).toMatchObject([{ ruleId: '2' }]);
    // What is broken already does not hold up other changes.
    expect((await create(2, accountRule('406', '6110'))).status).toBe(201);
  });

  it('are unavailable while the ERP does not respond', async () => {
    await create(1, accountRule('404', '6071'));
    harness.erp.failure = { kind: 'timeout', message: 'no answer' };
    expect((await findings()).status).toBe(503);
  });
});
