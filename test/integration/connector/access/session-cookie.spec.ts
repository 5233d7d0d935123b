import { describe, expect, it } from '@jest/globals';
import { companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { beginSignIn, returnFromPlatform, Visitor } from './visitor.js';

describe('the session cookie', () => {
  it('is for our host only, hidden from scripts, and over http without attributes that browsers refuse there', async () => {
    const plain = await ConnectHarness.start();
    const company = plain.platform.addCompany();
    await plain.connect(companyUrn(company.id));
    const ada = new Visitor(plain.connector.app);
    const { headers } = await returnFromPlatform(ada, await beginSignIn(ada));
    const [attempt, session] = [headers['set-cookie']].flat().map(String);
    expect(attempt).toBe('connector_connection=; Max-Age=0; Path=/oauth; HttpOnly; SameSite=Lax');
    expect(session).toMatch(/^connector_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    await plain.close();
  });

  it('has over https the prefix that binds it to the host', async () => {
    const secure = await ConnectHarness.start({ PUBLIC_URL: 'https://connector.example' });
    const there = secure.platform.addCompany();
    const host = { headers: { host: 'connector.example' } };
    secure.platform.resource = companyUrn(there.id);
    const connecting = await secure.connector.app.inject({ method: 'GET', url: '/connect', ...host });
    const browser = new Visitor(secure.connector.app);
    const cookieOf = (line: unknown) => String(line).split(';')[0]?.split('=') ?? [];
    expect(String(connecting.headers['set-cookie'])).toMatch(
      /^__Host-connector_connection=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const [name = '', value = ''] = cookieOf(connecting.headers['set-cookie']);
    browser.cookies.set(name, value);
    const back = async (location: string | undefined) =>
      browser.call(
        'GET',
        `/oauth/callback?${new URLSearchParams({ code: 'c', state: new URL(location ?? '').searchParams.get('state') ?? '' }).toString()}`,
        host,
      );
    expect((await back(connecting.headers.location)).status).toBe(200);
    const { headers } = await browser.call('GET', '/app/sign-in', host);
    const reply = await back(String(headers['location']));
    expect(reply.status).toBe(302);
    const lines = [reply.headers['set-cookie']].flat().map(String);
    expect(lines[0]).toBe('__Host-connector_connection=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax');
    expect(lines[1]).toMatch(/^__Host-connector_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect((await browser.call('GET', '/api/v1/me', host)).status).toBe(200);
    await secure.close();
  });
});
