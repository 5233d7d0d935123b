import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PlatformAccess } from '../../../../src/connector/installations/credentials/platform-access.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import { startConnectorApp, type ConnectorUnderTest } from '../../../support/connector-app.js';
import { at, SimulatorHarness } from '../../simulator/simulator-harness.js';
import { Visitor, whoIs } from './visitor.js';

// Signing in at the real authorization server of the simulator, beside an installation whose tokens rotate.

const CLIENT_SECRET = 'a-secret-of-the-connector';
const BO = '00000000-0000-4000-8000-000000000002';

let simulator: SimulatorHarness;
let connector: ConnectorUnderTest;
let companyId: string;
let id: string;

beforeAll(async () => {
  simulator = await SimulatorHarness.start();
  await simulator.control('POST', '/clients', {
    clientId: 'connector',
    clientSecret: CLIENT_SECRET,
    redirectUris: ['http://localhost:3000/oauth/callback'],
  });
  connector = await startConnectorApp({
    PLATFORM_API_URL: simulator.url,
    PLATFORM_AUTH_URL: simulator.url,
    PLATFORM_CLIENT_ID: 'connector',
    PLATFORM_CLIENT_SECRET: CLIENT_SECRET,
    PLATFORM_REQUESTS_PER_MINUTE: '1000000',
  });
  companyId = await simulator.addCompany();
  const connected = await authorize(new Visitor(connector.app), '/connect');
  id = /<code>([0-9a-f-]{36})<\/code>/.exec(connected.text)?.[1] ?? '';
});
afterAll(async () => {
  await connector.close();
  await simulator.stop();
});

/** A person goes from one of our addresses to the platform's page, approves, and comes back. */
async function authorize(
  visitor: Visitor,
  path: string,
  fields: Readonly<Record<string, string>> = {},
  cookies = new Map<string, string>(),
) {
  const begun = await visitor.call('GET', path);
  const visit = async (method: string, address: string, body?: string): Promise<string> => {
    const response = await fetch(new URL(address, simulator.url), {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response.headers.get('location') ?? `${response.status.toString()}: ${await response.text()}`;
  };
  const page = await visit('GET', String(begun.headers['location']));
  const form = new URLSearchParams({ company_id: companyId, decision: 'approve', ...fields });
  const back = await visit('GET', await visit('POST', page, form.toString()));
  const { pathname, search } = new URL(back);
  return visitor.call('GET', `${pathname}${search}`);
}

/** The token that the installation itself acts with. */
async function ownToken(): Promise<string> {
  const platformAccess = connector.app.get(PlatformAccess, { strict: false });
  const token = await platformAccess.authorizationFor(toInstallationId(id)).accessToken();
  return typeof token === 'string' ? token : token.text;
}

describe('signing in', () => {
  it('starts a session of the person who was at the platform', async () => {
    const ada = new Visitor(connector.app);
    const reply = await authorize(ada, '/app/sign-in');
    expect([reply.status, reply.headers['location']]).toEqual([302, '/app']);
    expect((await whoIs(ada)).json).toMatchObject({ installationId: id, role: 'admin', displayName: 'Ada Berg' });
    const bo = new Visitor(connector.app);
    await authorize(bo, '/app/sign-in', { person_id: BO });
    expect((await whoIs(bo)).json).toMatchObject({ role: 'viewer', displayName: 'Bo Lund' });
  });

  it('distinguishes two people at one browser', async () => {
    const cookies = new Map<string, string>();
    const first = new Visitor(connector.app);
    await authorize(first, '/app/sign-in', {}, cookies);
    const second = new Visitor(connector.app);
    await authorize(second, '/app/sign-in', { person_id: BO }, cookies);
    const names = await Promise.all(
      [first, second].map(async (visitor) => at((await whoIs(visitor)).json, 'memberId')),
    );
    expect(new Set(names).size).toBe(2);
  });

  it('repeatedly leaves the stored grant valid, also over its refreshes', async () => {
    const versions: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      await authorize(new Visitor(connector.app), '/app/sign-in');
      await connector.admin.query(`UPDATE credential SET refresh_after = now() WHERE installation_id = $1`, [id]);
      const token = await ownToken();
      expect((await simulator.call('GET', '/v1/installations/me', { token })).status).toBe(200);
      const { rows } = await connector.admin.query<{ version: number }>(
        'SELECT version FROM credential WHERE installation_id = $1',
        [id],
      );
      versions.push(rows[0]?.version);
    }
    expect(versions).toEqual([2, 3, 4]);
  });

  it('leaves the installation on the platform unchanged', async () => {
    const token = await ownToken();
    await simulator.call('POST', '/v1/installations/me:activate', { token });
    const installation = async () => (await simulator.call('GET', '/v1/installations/me', { token })).body;
    const before = await installation();
    await authorize(new Visitor(connector.app), '/app/sign-in');
    expect(await installation()).toEqual(before);
    expect(at(before, 'status')).toBe('ACTIVATED');
  });
});

describe('a consent for an organization', () => {
  it('offers a search in its companies, connects the chosen one, and is valid for that one only', async () => {
    const organizationId = randomUUID();
    const [one, two] = [
      await simulator.addCompany({ organizationId, name: 'North ApS', registrationNumber: 'DK-1' }),
      await simulator.addCompany({ organizationId, name: 'South AB', registrationNumber: 'SE-2' }),
    ];
    const visitor = new Visitor(connector.app);
    const offer = await authorize(visitor, '/connect', { company_id: one, access_level: 'organisation' });
    expect(offer.text).toContain('2 companies.');
    const state = /name="state" value="([^"]+)"/.exec(offer.text)?.[1] ?? '';
    const ask = (path: string, more: Readonly<Record<string, string>>) =>
      visitor.call('GET', `${path}?${new URLSearchParams({ state, ...more }).toString()}`);
    const found = await ask('/oauth/companies', { search: 'se-2' });
    expect([found.text.includes(one), found.text.includes(two)]).toEqual([false, true]);
    expect((await ask('/oauth/company', { company_id: two })).text).toContain('South AB: connected');
    const { rows } = await connector.admin.query(
      'SELECT platform_company_id, access_level FROM installation WHERE platform_organization_id = $1',
      [organizationId],
    );
    expect(rows).toEqual([{ platform_company_id: two, access_level: 'organization' }]);
  });
});
