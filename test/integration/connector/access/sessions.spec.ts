import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { beginSignIn, csrfOf, signIn, Visitor, whoIs } from './visitor.js';

// A person sees where they are signed in, and ends it.

const ADA = { sub: 'ada', username: 'Ada Berg' };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const harness = startedOnce(() => ConnectHarness.start({ CONNECTOR_TRUSTED_PROXIES: '127.0.0.1' }));
let company: PlatformCompanyData;
let id: string;

beforeEach(async () => {
  harness.platform.restore();
  company = harness.platform.addCompany();
  id = await harness.connect(companyUrn(company.id), ADA);
});

/** Ada in one more browser. */
async function adaWith(userAgent: string, address: string): Promise<Visitor> {
  const visitor = new Visitor(harness.connector.app);
  harness.platform.resource = companyUrn(company.id);
  harness.platform.person = ADA;
  const query = new URLSearchParams({ code: 'the-code', state: await beginSignIn(visitor) });
  const headers = { 'user-agent': userAgent, 'x-forwarded-for': address };
  expect((await visitor.call('GET', `/oauth/callback?${query.toString()}`, { headers })).status).toBe(302);
  return visitor;
}

interface Listed {
  readonly id: string;
  readonly device: string;
  readonly address: string;
  readonly createdAt: string;
  readonly current: boolean;
}
const listOf = async (visitor: Visitor) =>
  at((await visitor.call('GET', '/api/v1/sessions')).json, 'data') as readonly Listed[];
const end = async (visitor: Visitor, path: string) =>
  (await visitor.call('DELETE', `/api/v1/sessions${path}`, { headers: await csrfOf(visitor) })).status;
const isIn = async (visitor: Visitor) => (await whoIs(visitor)).status === 200;

describe('the list of sessions', () => {
  it('has the member’s own sessions, newest first, with device, address and the current one', async () => {
    await signIn(harness, companyUrn(company.id), { sub: 'bo' });
    const before = Date.now();
    await adaWith('something/1.0', '203.0.113.1');
    const here = await adaWith(FIREFOX, '203.0.113.2');
    const listed = await listOf(here);
    expect(listed.map(({ device, address, current }) => [device, address, current])).toEqual([
      ['Firefox on Linux', '203.0.113.2', true],
      ['an unknown device', '203.0.113.1', false],
    ]);
    for (const { createdAt } of listed) {
      expect(Math.abs(Date.parse(createdAt) - before)).toBeLessThan(60_000);
    }
    expect(JSON.stringify(listed)).not.toContain(here.session);
  });

  it('omits ended sessions', async () => {
    const here = await adaWith(FIREFOX, '203.0.113.2');
    await adaWith(FIREFOX, '203.0.113.3');
    await harness.admin.query(
      `UPDATE member_session SET used_at = used_at - interval '30 minutes' WHERE from_ip = '203.0.113.3'`,
    );
    expect((await listOf(here)).map(({ address }) => address)).toEqual(['203.0.113.2']);
  });

  it('is empty for a token without a member', async () => {
    const { json } = await harness.call('GET', '/api/v1/sessions', { token: await harness.token(id) });
    expect(json).toEqual({ data: [] });
  });
});

describe('ending sessions', () => {
  it('ends one session from its next request on, and no other', async () => {
    const [here, lost] = [await adaWith(FIREFOX, '203.0.113.2'), await adaWith('lost/1', '203.0.113.3')];
    const other = (await listOf(here)).find(({ current }) => !current)?.id ?? '';
    expect(await end(here, `/${other}`)).toBe(204);
    expect([await isIn(here), await isIn(lost)]).toEqual([true, false]);
    expect(await end(here, `/${other}`)).toBe(404);
  });

  it('can end all others and keep the current one', async () => {
    const bo = await signIn(harness, companyUrn(company.id), { sub: 'bo' });
    const others = [await adaWith(FIREFOX, '203.0.113.3'), await adaWith(FIREFOX, '203.0.113.4')];
    const here = await adaWith(FIREFOX, '203.0.113.2');
    expect(await end(here, '')).toBe(200);
    expect(await Promise.all([here, bo, ...others].map(isIn))).toEqual([true, true, false, false]);
  });

  it('of another member responds as for one that does not exist', async () => {
    const here = await adaWith(FIREFOX, '203.0.113.2');
    const bo = await signIn(harness, companyUrn(company.id), { sub: 'bo' });
    const [own] = await listOf(here);
    for (const unknown of [own?.id ?? '', randomUUID(), 'nonsense']) {
      expect(await end(bo, `/${unknown}`)).toBe(404);
    }
    expect(await isIn(here)).toBe(true);
  });

  it('requires the token of the page', async () => {
    const here = await adaWith(FIREFOX, '203.0.113.2');
    expect((await here.call('DELETE', '/api/v1/sessions')).status).toBe(403);
  });
});
