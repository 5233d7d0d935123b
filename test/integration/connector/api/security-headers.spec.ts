import { describe, expect, it } from '@jest/globals';
import { BadRequests } from './bad-requests.js';
import { startConnectorApp } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// What every response demands of a browser, over all routes (S50).

const STRICT =
  "default-src 'none';base-uri 'none';connect-src 'self';form-action 'self';frame-ancestors 'none';img-src 'self';script-src 'self';style-src 'self'";
const OTHERS = ['/connect', '/oauth/callback', '/oauth/company', '/settings', '/api/openapi.json', '/nowhere'];

const requests = startedOnce(() => BadRequests.start());
const secure = startedOnce(() => startConnectorApp({ PUBLIC_URL: 'https://connector.example' }));

function headersOf({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) {
  const names = [
    'content-security-policy',
    'x-content-type-options',
    'x-frame-options',
    'referrer-policy',
    'cache-control',
    'strict-transport-security',
    'server',
    'x-powered-by',
  ];
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

const ALWAYS = {
  'content-security-policy': STRICT,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'strict-transport-security': undefined,
  server: undefined,
  'x-powered-by': undefined,
};

describe('every response', () => {
  it('of every route has the security headers, for authorized and unauthorized callers', async () => {
    expect(requests.routes.length).toBeGreaterThan(60);
    for (const { method, path } of requests.routes) {
      for (const bearer of [requests.token, 'cat_nobody']) {
        const answer = await requests.send(method, path, { bearer });
        expect({ method, path, ...headersOf(answer) }).toEqual({ method, path, ...ALWAYS });
      }
    }
  });

  it.each(OTHERS)('%s has them too', async (path) => {
    expect(headersOf(await requests.send('GET', path, { bearer: '' }))).toEqual(ALWAYS);
  });

  it('to a webhook has them too', async () => {
    expect(headersOf(await requests.send('POST', '/webhooks/unknown'))).toEqual(ALWAYS);
  });

  it('of the documentation allows its styles, and no script', async () => {
    const page = await requests.send('GET', '/api/docs');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("style-src 'self' 'unsafe-inline'");
    expect(policy.replace(/style-src[^;]*/, '')).not.toContain('unsafe-inline');
    expect(page.text).toContain('swagger-ui');
    expect(page.text).not.toMatch(/<script>[^<]/);
  });

  it('over https makes browsers use https only', async () => {
    const answer = await secure.app.inject({ method: 'GET', url: '/api/v1/jobs' });
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=31536000/);
  });

  it('that Fastify or Node.js send before routing is a problem document, and is not cached', async () => {
    for (const bytes of [
      'GET /% HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      'NONSENSE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
    ]) {
      expect(await requests.exchangeBytes(bytes)).toMatch(
        /^HTTP\/1.1 400 (?=[^]*application\/problem\+json)(?=[^]*cache-control: no-store)/,
      );
    }
  });
});

it('the server limits the time of every request [S49]', () => {
  const server = requests.connector.app.getHttpServer() as unknown as Readonly<Record<string, number>>;
  expect({
    headers: server['headersTimeout'],
    request: server['requestTimeout'],
    keepAlive: server['keepAliveTimeout'],
  }).toEqual({ headers: 10_000, request: 30_000, keepAlive: 72_000 });
});
