import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac, randomUUID } from 'node:crypto';
import { CreateApiToken } from '../../../../src/connector/access/create-api-token.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs, type Visitor } from './visitor.js';
import { startedOnce } from '../../../support/started-once.js';

// API tokens, for automation (D3.1, D3.2, S9).

const ADA = { sub: 'ada', username: 'Ada Berg' };

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let ada: Visitor;

beforeEach(async () => {
  harness.platform.restore();
  company = harness.platform.addCompany();
  id = await harness.connect(companyUrn(company.id), ADA);
  ada = await signIn(harness, companyUrn(company.id), ADA);
});

const make = async (by: Visitor, body: object = { role: 'viewer', label: 'nightly run' }) =>
  by.call('POST', '/api/v1/api-tokens', { headers: await csrfOf(by), body });
const listed = async () => at((await ada.call('GET', '/api/v1/api-tokens')).json, 'data');
const me = (token: string) => harness.call('GET', '/api/v1/me', { token });

describe('a token', () => {
  it('is shown once, stored as a hash, and listed without its text', async () => {
    const made = await make(ada, { role: 'bookkeeper', label: 'nightly run', days: 7 });
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
    const token = String(at(made.json, 'token'));
    expect(token).toMatch(/^cat_[\w-]{43}$/);
    expect(await listed()).toEqual([
      {
        id: at(made.json, 'id'),
        prefix: token.slice(0, 8),
        role: 'bookkeeper',
        label: 'nightly run',
        madeBy: at((await whoIs(ada)).json, 'memberId'),
        madeWith: null,
        createdAt: expect.any(String),
        expiresAt: at(made.json, 'expiresAt'),
        lastUsedAt: null,
      },
    ]);
    const row = await harness.row('SELECT * FROM api_token WHERE id = $1', at(made.json, 'id'));
    expect(JSON.stringify(row)).not.toContain(token);
    expect((await me(token)).json).toMatchObject({
      installationId: id,
      role: 'bookkeeper',
      name: `token ${String(at(made.json, 'id'))}`,
      csrfToken: null,
    });
  });

  it('is valid for the requested days, ninety by default', async () => {
    for (const [body, days] of [
      [{ role: 'viewer', label: 'x', days: 366 }, 366],
      [{ role: 'viewer', label: 'x' }, 90],
    ] as const) {
      await make(ada, body);
      const row = await harness.row(
        'SELECT extract(epoch FROM expires_at - created_at)::int / 86400 AS days FROM api_token WHERE installation_id = $1 ORDER BY created_at DESC LIMIT 1',
        id,
      );
      expect(row).toEqual({ days });
    }
  });

  it.each([
    ['/role', { role: 'operator', label: 'x' }],
    ['/label', { role: 'viewer', label: '' }],
    ['/label', { role: 'viewer', label: 'x'.repeat(101) }],
    ['/label', { role: 'viewer', label: 'a\u0007' }],
    ['/days', { role: 'viewer', label: 'x', days: 0 }],
    ['/days', { role: 'viewer', label: 'x', days: 367 }],
    ['/days', { role: 'viewer', label: 'x', days: '7' }],
    ['/installationId', { role: 'viewer', label: 'x', installationId: randomUUID() }],
    ['/expiresAt', { role: 'viewer', label: 'x', expiresAt: '2999-01-01' }],
  ])('with a wrong %s is a bad request', async (pointer, body) => {
    const { status, json } = await make(ada, body);
    expect([status, at(json, 'errors', 0, 'pointer')]).toEqual([400, pointer]);
  });

  it('shows its last use, which is recorded once a minute', async () => {
    const token = String(at((await make(ada)).json, 'token'));
    const lastUse = async () => at(await listed(), 0, 'lastUsedAt');
    await me(token);
    const first = await lastUse();
    expect(typeof first).toBe('string');
    await me(token);
    expect(await lastUse()).toBe(first);
    await harness.admin.query(
      `UPDATE api_token SET last_used_at = last_used_at - interval '1 minute' WHERE installation_id = $1`,
      [id],
    );
    await me(token);
    expect(Date.parse(String(await lastUse()))).toBeGreaterThanOrEqual(Date.parse(String(first)));
  });

  it('is refused from the moment it is revoked [S9]', async () => {
    const made = await make(ada);
    const token = String(at(made.json, 'token'));
    const path = `/api/v1/api-tokens/${String(at(made.json, 'id'))}`;
    expect((await me(token)).status).toBe(200);
    expect((await ada.call('DELETE', path, { headers: await csrfOf(ada) })).status).toBe(204);
    expect((await me(token)).status).toBe(401);
    expect((await ada.call('DELETE', path, { headers: await csrfOf(ada) })).status).toBe(404);
  });

  it('has at most its creator’s current role, and is revoked when the creator is removed [S9]', async () => {
    const bo = await signIn(harness, companyUrn(company.id), { sub: 'bo' });
    const boId = String(at((await whoIs(bo)).json, 'memberId'));
    const change = async (role: string) =>
      ada.call('PUT', `/api/v1/members/${boId}`, { headers: await csrfOf(ada), body: { role } });
    await change('admin');
    const token = String(at((await make(bo, { role: 'admin', label: 'x' })).json, 'token'));
    const roleNow = async () => at((await me(token)).json, 'role');
    expect(await roleNow()).toBe('admin');
    await change('viewer');
    expect(await roleNow()).toBe('viewer');
    await change('bookkeeper');
    expect(await roleNow()).toBe('bookkeeper');
    await ada.call('DELETE', `/api/v1/members/${boId}`, { headers: await csrfOf(ada) });
    expect((await me(token)).status).toBe(401);
  });

  it('that is created with a token belongs to the same person and ends no later', async () => {
    const first = await make(ada, { role: 'admin', label: 'first', days: 3 });
    const second = await harness.call('POST', '/api/v1/api-tokens', {
      token: String(at(first.json, 'token')),
      body: { role: 'admin', label: 'second', days: 300 },
    });
    expect([second.status, at(second.json, 'expiresAt')]).toEqual([201, at(first.json, 'expiresAt')]);
    expect(at(await listed(), 0)).toMatchObject({
      label: 'second',
      madeBy: at((await whoIs(ada)).json, 'memberId'),
      madeWith: at(first.json, 'id'),
    });
  });

  it('is revoked with the token that created it, and cannot be created with a revoked token', async () => {
    const withToken = async (token: string, label: string) =>
      harness.call('POST', '/api/v1/api-tokens', { token, body: { role: 'admin', label } });
    const first = await make(ada, { role: 'admin', label: 'first' });
    const second = await withToken(String(at(first.json, 'token')), 'second');
    const third = await withToken(String(at(second.json, 'token')), 'third');
    const kept = await make(ada, { role: 'viewer', label: 'kept' });
    await ada.call('DELETE', `/api/v1/api-tokens/${String(at(first.json, 'id'))}`, {
      headers: await csrfOf(ada),
    });
    const statuses = [];
    for (const { json } of [first, second, third, kept]) {
      statuses.push((await me(String(at(json, 'token')))).status);
    }
    expect(statuses).toEqual([401, 401, 401, 200]);
    const tokens = harness.connector.app.get(CreateApiToken, { strict: false });
    const revoked = { id: String(at(first.json, 'id')), expiresAt: new Date('2999-01-01') };
    const wanted = { role: 'viewer', label: 'x', days: 1 } as const;
    const creator = { role: 'admin', memberId: undefined, token: revoked } as const;
    expect(await tokens.createToken(toInstallationId(id), wanted, creator)).toEqual({
      outcome: 'creator-revoked',
    });
  });

  it('cannot be created by a member who was removed meanwhile: it would count again with the member’s return', async () => {
    const bo = await signIn(harness, companyUrn(company.id), { sub: 'bo' });
    const memberId = String(at((await whoIs(bo)).json, 'memberId'));
    await ada.call('DELETE', `/api/v1/members/${memberId}`, { headers: await csrfOf(ada) });
    const tokens = harness.connector.app.get(CreateApiToken, { strict: false });
    const wanted = { role: 'viewer', label: 'x', days: 1 } as const;
    expect(
      await tokens.createToken(toInstallationId(id), wanted, { role: 'viewer', memberId, token: undefined }),
    ).toEqual({ outcome: 'creator-revoked' });
    expect(await listed()).toEqual([]);
  });

  it('above the role of its creator cannot be created', async () => {
    const tokens = harness.connector.app.get(CreateApiToken, { strict: false });
    const wanted = { role: 'bookkeeper', label: 'x', days: 1 } as const;
    const creator = { memberId: undefined, token: undefined } as const;
    const outcomes = [];
    for (const role of ['viewer', 'bookkeeper', 'admin'] as const) {
      outcomes.push((await tokens.createToken(toInstallationId(id), wanted, { ...creator, role })).outcome);
    }
    expect(outcomes).toEqual(['above-creator', 'created', 'created']);
  });

  it('created by the operator has no member, and is listed', async () => {
    const token = await harness.token(id, 'bookkeeper');
    expect((await me(token)).json).toMatchObject({ role: 'bookkeeper', memberId: null });
    expect(at(await listed(), 0)).toMatchObject({ madeBy: null, prefix: token.slice(0, 8) });
  });

  it('is one of at most a hundred active ones', async () => {
    await harness.admin.query(
      `INSERT INTO api_token (id, installation_id, token_hash, role, label, created_at, expires_at)
       SELECT gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), 'viewer', 'x', now(),
         now() + CASE n WHEN 1 THEN interval '0' ELSE interval '1 day' END
       FROM generate_series(1, 100) AS n`,
      [id],
    );
    expect((await make(ada)).status).toBe(201);
    const { status, json } = await make(ada);
    expect([status, at(json, 'type')]).toEqual([409, 'urn:problem:too-many-tokens']);
    expect(await listed()).toHaveLength(100);
  });

  it('of another installation is not found', async () => {
    const other = harness.platform.addCompany();
    await harness.connect(companyUrn(other.id), { sub: 'cleo' });
    const cleo = await signIn(harness, companyUrn(other.id), { sub: 'cleo' });
    const made = await make(ada);
    for (const tokenId of [String(at(made.json, 'id')), randomUUID(), 'nonsense']) {
      const answer = await cleo.call('DELETE', `/api/v1/api-tokens/${tokenId}`, {
        headers: await csrfOf(cleo),
      });
      expect([answer.status, at(answer.json, 'detail')]).toEqual([404, 'There is no such API token.']);
    }
    expect((await me(String(at(made.json, 'token')))).status).toBe(200);
  });
});

describe('an invalid token', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = part({ sub: 'admin', role: 'admin', exp: 9_999_999_999, iss: 'http://localhost:3000' });
  const signed = (header: object, secret: string) => {
    const text = `${part(header)}.${claims}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const forged: readonly (readonly [string, string])[] = [
    ['alg none', `${part({ alg: 'none', typ: 'JWT' })}.${claims}.`],
    ['alg None', `${part({ alg: 'None' })}.${claims}.`],
    ['HS256 with a guessed secret', signed({ alg: 'HS256', typ: 'JWT' }, 'secret')],
    ['kid as a path', signed({ alg: 'HS256', kid: '../../dev/null' }, '')],
    ['jku', signed({ alg: 'HS256', jku: 'https://evil.example/jwks' }, 'x')],
    ['jwk', signed({ alg: 'HS256', jwk: { kty: 'oct', k: 'eA' } }, 'x')],
    ['crit', signed({ alg: 'HS256', crit: ['exp'] }, 'x')],
    ['a stripped signature', `${part({ alg: 'ES256' })}.${claims}.`],
    ['a form of ours', `cat_${'x'.repeat(43)}`],
    ['an operator’s form', 'operator'],
    ['512 characters', 'x'.repeat(512)],
    ['513 characters', 'x'.repeat(513)],
  ];

  it.each(forged)('in the form %s gets 401, which names what is missing [D3.2]', async (_, token) => {
    const answer = await me(token);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  it('is missing: 401 [D3.1]', async () => {
    const answer = await harness.call('GET', '/api/v1/me');
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });

  it('has expired: 401 [D3.1]', async () => {
    const token = String(at((await make(ada)).json, 'token'));
    await harness.admin.query(
      `UPDATE api_token SET expires_at = now() - interval '1 second' WHERE installation_id = $1`,
      [id],
    );
    expect((await me(token)).status).toBe(401);
  });
});
