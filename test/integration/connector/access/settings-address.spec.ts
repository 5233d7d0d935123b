import { beforeEach, describe, expect, it } from '@jest/globals';
import { startedOnce } from '../../../support/started-once.js';
import { companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, returnFromPlatform, signIn, Visitor, whoIs } from './visitor.js';

// The settings address that the platform stores, and links of before: a person signs in through the platform, and lands on the page.

const ADA = { sub: 'ada', username: 'Ada Berg' };

const harness = startedOnce(() => ConnectHarness.start());
let company: string;

beforeEach(async () => {
  harness.platform.restore();
  company = companyUrn(harness.platform.addCompany().id);
  await harness.connect(company, ADA);
});

const follow = async (visitor: Visitor, address: string) => {
  const { status, headers } = await visitor.call('GET', address);
  expect([address, status, headers['cache-control']]).toEqual([address, 302, 'no-store']);
  return String(headers['location']);
};

describe('without a session', () => {
  it.each([
    ['/settings', '/app'],
    ['/settings/', '/app'],
    ['/settings?from=mail', '/app'],
    ['/settings/members/0198c0de/role', '/app/people'],
    ['/settings/erp-connection', '/app/setup'],
    ['/settings/constructor', '/app'],
  ])('%s leads through the platform to %s', async (address, place) => {
    const ada = new Visitor(harness.connector.app);
    const platform = new URL(await follow(ada, await follow(ada, address)));
    expect([platform.origin, platform.pathname]).toEqual([harness.platform.url, '/oauth/authorize']);
    harness.platform.resource = company;
    harness.platform.person = ADA;
    const back = await returnFromPlatform(ada, platform.searchParams.get('state') ?? '');
    expect([back.status, back.headers['location']]).toEqual([302, place]);
    expect((await whoIs(ada)).status).toBe(200);
  });

  it('with an unknown session leads to the sign-in too', async () => {
    const stranger = new Visitor(harness.connector.app);
    stranger.cookies.set('connector_session', 'x'.repeat(43));
    expect(await follow(stranger, '/settings')).toBe('/app/sign-in?to=%2Fapp');
  });
});

describe('in a session', () => {
  it.each([
    ['/settings', '/app'],
    ['/settings/api-tokens', '/app/people'],
    ['/settings/sessions/end-others', '/app/people'],
    ['/settings/discrepancies/0198c0de/actions', '/app/reconciliation'],
    ['/settings/sign-in', '/app/sign-in?again=true'],
    ['/settings//evil.example', '/app'],
  ])('%s leads to %s', async (address, place) => {
    const ada = await signIn(harness, company, ADA);
    expect(await follow(ada, address)).toBe(place);
  });
});

it('forms of the former settings page do nothing', async () => {
  const ada = await signIn(harness, company, ADA);
  const headers = await csrfOf(ada);
  for (const address of ['/settings', '/settings/sign-out', '/settings/api-tokens', '/settings/first-admin']) {
    expect([404, 405]).toContain((await ada.call('POST', address, { headers, body: {} })).status);
  }
  expect((await whoIs(ada)).status).toBe(200);
});
