import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PlatformRegistration } from '../../../../src/connector/installations/connect/platform-registration.js';
import { RotateKeys } from '../../../../src/connector/installations/credentials/rotate-keys.js';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { respondingWith } from '../../../support/servers/misbehaving-server.js';
import { ALL_SCOPES, type PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness, organizationUrn } from './connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// Connecting step by step: by consent for a company or an organization, and by API key (P3, P9.2).

const ACTIVATE = 'POST /v1/installations/me:activate';
const COMPLETE = 'PUT /v1/installations/completions';

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;

beforeEach(() => {
  harness.platform.restore();
  const registrationNumber = randomUUID();
  company = harness.platform.addCompany({ registrationNumber });
  harness.platform.addErpCompany(`erp-${registrationNumber}`, registrationNumber);
});

async function connectionOf(id: string): Promise<unknown> {
  return (await harness.call('GET', '/api/v1/connection', { token: await harness.token(id, 'viewer') })).json;
}

const done = (connection: unknown) =>
  (at(connection, 'steps') as readonly { step: string; done: boolean }[])
    .filter((step) => step.done)
    .map(({ step }) => step);

const withKey = (apiKey: string, more: object = {}) =>
  harness.call('POST', '/api/v1/operator/installations', {
    token: OPERATOR_TOKEN,
    body: { apiKey, ...more },
  });

describe('a consent for one company', () => {
  it('passes through all steps, each of them visible', async () => {
    harness.platform.resource = companyUrn(company.id);
    const reply = await harness.returnFromPlatform(await harness.begin());
    const id = /<code>([0-9a-f-]{36})/.exec(reply.text)?.[1] ?? '';
    const first = await connectionOf(id);
    expect([done(first), at(first, 'next')]).toEqual([['authorization'], 'subscription']);
    await harness.finish(id);
    const last = await connectionOf(id);
    expect(done(last)).toEqual(['authorization', 'subscription', 'activation']);
    expect(last).toMatchObject({
      state: 'active',
      next: 'erp-company',
      generation: 1,
      accessLevel: 'company',
      credential: { kind: 'tokens' },
    });
    expect(harness.platform.installationStatus).toBe('ACTIVATED');
  });

  it.each([
    ['GET /v1/subscriptions', ['authorization']],
    ['POST /v1/subscriptions', ['authorization']],
    [ACTIVATE, ['authorization', 'subscription']],
  ])('that fails at %s shows why, and continues there', async (call, steps) => {
    harness.platform.resource = companyUrn(company.id);
    const reply = await harness.returnFromPlatform(await harness.begin());
    const id = /<code>([0-9a-f-]{36})/.exec(reply.text)?.[1] ?? '';
    harness.platform.next(call, ...Array.from({ length: 8 }, () => respondingWith(403, { type: 'FORBIDDEN' })));
    await expect(harness.finish(id)).rejects.toThrow();
    const stuck = await connectionOf(id);
    expect(done(stuck)).toEqual(steps);
    expect(at(stuck, 'problem', 'text')).toMatch(/^The (platform|accounting system) /);
    harness.platform.next(call);
    await harness.finish(id);
    expect(at(await connectionOf(id), 'problem')).toBeNull();
    // With and without the vendor event, and then once more.
    expect(harness.platform.calls().filter((one) => one === 'POST /v1/subscriptions').length).toBeLessThanOrEqual(3);
  });

  it('that another attempt has completed shows no problem of one that fails after it', async () => {
    harness.platform.resource = companyUrn(company.id);
    const reply = await harness.returnFromPlatform(await harness.begin());
    const id = /<code>([0-9a-f-]{36})/.exec(reply.text)?.[1] ?? '';
    const activating = jest.spyOn(harness.get(PlatformRegistration), 'activate').mockImplementationOnce(async () => {
      await harness.finish(id);
      throw new Error('no response');
    });
    await expect(harness.finish(id)).rejects.toThrow('no response');
    activating.mockRestore();
    expect(await connectionOf(id)).toMatchObject({ state: 'active', problem: null });
  });

  it('on a platform without activation is completed by the deprecated call', async () => {
    harness.platform.next(ACTIVATE, respondingWith(404, { type: 'NOT_FOUND', message: 'no such operation' }));
    const id = await harness.connect(companyUrn(company.id));
    expect(at(await connectionOf(id), 'state')).toBe('active');
    expect(harness.platform.calls().filter((call) => call === ACTIVATE || call === COMPLETE)).toEqual([
      ACTIVATE,
      COMPLETE,
    ]);
  });

  it('links no ERP company automatically, whatever the registration numbers are', async () => {
    const id = await harness.connect(companyUrn(company.id));
    expect(await connectionOf(id)).toMatchObject({ state: 'active', next: 'erp-company' });
  });
});

describe('a consent of an organization', () => {
  const organizationId = () => company.organizationId;
  const choose = (state: string, companyId: string, cookie: string) =>
    harness.call('GET', `/oauth/company?${new URLSearchParams({ state, company_id: companyId }).toString()}`, {
      headers: { cookie },
    });

  it('with one company connects it', async () => {
    const id = await harness.connect(organizationUrn(organizationId()));
    expect(await connectionOf(id)).toMatchObject({ companyId: company.id, accessLevel: 'organization' });
  });

  it('with several companies lets the person choose one, once, in the same browser', async () => {
    const second = harness.platform.addCompany({ organizationId: organizationId(), name: '<b>Second</b>' });
    harness.platform.resource = organizationUrn(organizationId());
    const attempt = await harness.begin();
    const page = await harness.returnFromPlatform(attempt);
    expect(page.status).toBe(200);
    expect(page.text).toContain(second.id);
    expect(page.text).not.toContain('<b>Second');
    const cookie = attempt.cookie;
    expect((await choose(attempt.state, second.id, 'connector_connection=x')).status).toBe(400);
    const chosen = await choose(attempt.state, second.id, cookie);
    expect(chosen.text).toContain('Connected');
    expect((await choose(attempt.state, company.id, cookie)).status).toBe(400);
    const found = await harness.row(
      'SELECT platform_company_id, access_level FROM installation WHERE platform_organization_id = $1',
      organizationId(),
    );
    expect(found).toEqual({ platform_company_id: second.id, access_level: 'organization' });
  });

  it('with many companies offers a search by name or number, in the same browser, until one is chosen', async () => {
    for (let n = 1; n <= 120; n += 1) {
      const name = `Branch ${n.toString().padStart(3, '0')}`;
      harness.platform.addCompany({
        organizationId: organizationId(),
        name,
        registrationNumber: `DE-${name}`,
      });
    }
    const meant = harness.platform.addCompany({
      organizationId: organizationId(),
      name: 'Nørrebro & Co',
      registrationNumber: '4711-0815',
    });
    harness.platform.resource = organizationUrn(organizationId());
    const attempt = await harness.begin();
    const first = await harness.returnFromPlatform(attempt);
    expect(first.text).toContain('122 companies, of which the first 100 are shown');
    expect(first.text.match(/type="radio"/g)).toHaveLength(100);
    const search = async (text: string, cookie = attempt.cookie) =>
      harness.call(
        'GET',
        `/oauth/companies?${new URLSearchParams({ state: attempt.state, search: text }).toString()}`,
        { headers: { cookie } },
      );
    for (const [text, found] of [
      ['nørrebro', 1],
      ['  4711-08 ', 1],
      ['DE-branch 01', 10],
      ['branch 120', 1],
    ] as const) {
      const page = await search(text);
      expect([page.status, page.text.match(/type="radio"/g)?.length]).toEqual([200, found]);
    }
    expect((await search('nørrebro')).text).toContain(`value="${meant.id}"`);
    expect((await search('<i>nobody')).text).toContain('contains &quot;&lt;i&gt;nobody&quot;');
    expect((await search('nørrebro', 'connector_connection=x')).status).toBe(400);
    expect((await choose(attempt.state, meant.id, attempt.cookie)).text).toContain('Connected');
    expect((await search('nørrebro')).status).toBe(400);
  });

  it('connects also a company that does not say whose it is: the consent does', async () => {
    harness.platform.showsOrganizations = false;
    const stored = async (companyId: string) =>
      harness.row('SELECT platform_organization_id AS id FROM installation WHERE platform_company_id = $1', companyId);
    await harness.connect(organizationUrn(organizationId()));
    expect(await stored(company.id)).toEqual({ id: organizationId() });
    const second = harness.platform.addCompany({ organizationId: organizationId() });
    const foreign = harness.platform.addCompany();
    for (const [{ id }, text] of [
      [foreign, 'Not connected'],
      [second, 'Connected'],
    ] as const) {
      const attempt = await harness.begin();
      await harness.returnFromPlatform(attempt);
      expect((await choose(attempt.state, id, attempt.cookie)).text).toContain(text);
    }
    expect([await stored(second.id), await stored(foreign.id)]).toEqual([{ id: organizationId() }, undefined]);
  });

  it('does not connect a company of another organization', async () => {
    harness.platform.addCompany({ organizationId: organizationId() });
    const foreign = harness.platform.addCompany();
    harness.platform.resource = organizationUrn(organizationId());
    const attempt = await harness.begin();
    await harness.returnFromPlatform(attempt);
    expect((await choose(attempt.state, foreign.id, attempt.cookie)).status).toBe(400);
    expect(
      await harness.row('SELECT count(*)::int FROM installation WHERE platform_company_id = $1', foreign.id),
    ).toEqual({ count: 0 });
  });

  it('stores the pending grant encrypted, and only while a company may be chosen', async () => {
    harness.platform.addCompany({ organizationId: organizationId() });
    harness.platform.resource = organizationUrn(organizationId());
    await harness.returnFromPlatform(await harness.begin());
    const waiting = async () => {
      await harness.get(RotateKeys).rotate(new AbortController().signal);
      return harness.row('SELECT grant_tokens FROM connection_attempt WHERE organization_id = $1', organizationId());
    };
    expect(String(at(await waiting(), 'grant_tokens'))).toMatch(/^v1\.test\.[\w-]+\.[\w-]+\.[\w-]+$/);
    await harness.admin.query(
      `UPDATE connection_attempt SET expires_at = expires_at - interval '10 minutes' WHERE organization_id = $1`,
      [organizationId()],
    );
    expect(await waiting()).toEqual({ grant_tokens: null });
  });
});

describe('an API key', () => {
  it.each(['basic', 'bearer'] as const)('that the platform accepts as %s connects its company', async (form) => {
    const key = harness.platform.addApiKey(companyUrn(company.id), form);
    const { status, json } = await withKey(key);
    expect(status).toBe(201);
    const id = String(at(json, 'installationId'));
    await harness.finish(id);
    expect(await connectionOf(id)).toMatchObject({
      state: 'active',
      companyId: company.id,
      credential: { kind: 'api-key', expiresAt: null },
    });
    expect(harness.platform.calls()).toContain('POST /v1/installations/me');
    const stored = await harness.row(
      'SELECT access_token, presentation FROM credential WHERE installation_id = $1',
      id,
    );
    expect(at(stored, 'presentation')).toBe(form);
    expect(String(at(stored, 'access_token'))).not.toContain(key);
  });

  it('that is unknown is refused, and nothing is stored', async () => {
    const before = await harness.installationCount();
    const { status, json } = await withKey('key_of_nobody');
    expect([status, at(json, 'type')]).toEqual([422, 'urn:problem:api-key-refused']);
    expect(await harness.installationCount()).toBe(before);
  });

  it('with fewer scopes is refused with the names of the missing ones', async () => {
    harness.platform.scope = 'export-jobs:read companies:read';
    const { status, json } = await withKey(harness.platform.addApiKey(companyUrn(company.id), 'basic'));
    expect([status, at(json, 'detail')]).toEqual([
      422,
      'The API key lacks the scopes export-jobs:write, export-items:read.',
    ]);
  });

  it('of an organization requires the company to be named', async () => {
    const second = harness.platform.addCompany({ organizationId: company.organizationId });
    const key = harness.platform.addApiKey(organizationUrn(company.organizationId), 'basic');
    const unnamed = await withKey(key);
    expect([unnamed.status, at(unnamed.json, 'type')]).toEqual([422, 'urn:problem:company-needed']);
    expect(at(unnamed.json, 'companies')).toHaveLength(2);
    expect((await withKey(key, { companyId: second.id })).status).toBe(201);
    expect((await withKey(key, { companyId: randomUUID() })).status).toBe(409);
    harness.platform.showsOrganizations = false;
    expect((await withKey(key, { companyId: company.id })).status).toBe(201);
    const { rows } = await harness.admin.query(
      'SELECT count(*)::int FROM installation WHERE platform_organization_id = $1',
      [company.organizationId],
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  it('of which the platform does not say whose it is counts for the companies that it sees', async () => {
    const second = harness.platform.addCompany({ organizationId: company.organizationId });
    const identity = respondingWith(200, { data: { authMethod: 'API_KEY', clientId: 'c', scope: ALL_SCOPES } });
    const connect = (seen: readonly object[], more: object = {}) => {
      const listed = { data: seen, pagination: { hasNextPage: false } };
      harness.platform.next('GET /v1/introspect', identity);
      harness.platform.next('GET /v1/companies', respondingWith(200, listed));
      return withKey(harness.platform.addApiKey(companyUrn(company.id), 'basic'), more);
    };
    const alone = await connect([company]);
    expect([alone.status, at(alone.json, 'companyName')]).toEqual([201, company.name]);
    expect(await connectionOf(String(at(alone.json, 'installationId')))).toMatchObject({ accessLevel: 'company' });
    expect((await connect([])).status).toBe(409);
    expect(at((await connect([company, second])).json, 'type')).toBe('urn:problem:company-needed');
    const named = await connect([company, second], { companyId: second.id });
    expect(await connectionOf(String(at(named.json, 'installationId')))).toMatchObject({ accessLevel: 'organization' });
  });

  it('is replaced by another one of the same company, without any other change', async () => {
    const id = await harness.connect(companyUrn(company.id));
    const before = await connectionOf(id);
    const token = await harness.token(id);
    const replace = (apiKey: string) => harness.call('PUT', '/api/v1/connection/api-key', { token, body: { apiKey } });
    const stranger = harness.platform.addCompany();
    const foreign = await replace(harness.platform.addApiKey(companyUrn(stranger.id), 'basic'));
    expect([foreign.status, at(foreign.json, 'type')]).toEqual([409, 'urn:problem:other-company']);
    expect(await connectionOf(id)).toEqual(before);
    expect((await replace(harness.platform.addApiKey(companyUrn(company.id), 'basic'))).status).toBe(200);
    await harness.finish(id);
    expect(await connectionOf(id)).toMatchObject({
      state: 'active',
      credential: { kind: 'api-key' },
      next: 'erp-company',
    });
    expect(harness.platform.subscriptions.size).toBeGreaterThan(0);
  });

  it('that is revoked on the platform leaves the installation without authorization, until another key restores it', async () => {
    const key = harness.platform.addApiKey(companyUrn(company.id), 'basic');
    const id = String(at((await withKey(key)).json, 'installationId'));
    await harness.finish(id);
    const token = await harness.token(id);
    harness.platform.credentials.clear();
    await expect(harness.maintainSubscription(id)).rejects.toThrow('no longer accepts the API key');
    expect(at(await connectionOf(id), 'state')).toBe('needs_reauthorization');
    const apiKey = harness.platform.addApiKey(companyUrn(company.id), 'bearer');
    expect((await harness.call('PUT', '/api/v1/connection/api-key', { token, body: { apiKey } })).status).toBe(200);
    await harness.finish(id);
    expect(await connectionOf(id)).toMatchObject({ state: 'active', next: 'erp-company' });
  });

  it.each([{}, { apiKey: '' }, { apiKey: 'a b' }, { apiKey: 'a:b' }, { apiKey: 'x'.repeat(513) }, { apiKey: 1 }])(
    'like %.40j is a bad request',
    async (body) => {
      const answer = await harness.call('POST', '/api/v1/operator/installations', {
        token: OPERATOR_TOKEN,
        body,
      });
      expect([answer.status, at(answer.json, 'type')]).toEqual([400, 'urn:problem:invalid-request']);
    },
  );
});
