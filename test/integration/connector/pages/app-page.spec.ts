import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { startConnectorApp } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// How the pages for bookkeepers and operators are served. What they do in a browser: e2e/page.spec.
const connector = startedOnce(() => startConnectorApp());
const get = (url: string) => connector.app.inject({ method: 'GET', url });

it('the page at / has links, and each of them works', async () => {
  const { statusCode, headers, body } = await get('/');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const links = [...body.matchAll(/<a href="([^"]+)"/g)].map(([, path = '']) => path);
  expect(links).toEqual(['/app', '/connect', '/operator', '/api/docs', '/problems']);
  const statuses = await Promise.all(links.map(async (path) => (await get(path)).statusCode));
  expect(statuses.filter((status) => ![200, 302, 303].includes(status))).toEqual([]);
});

it.each(['/', '/problems', '/problems/forbidden', '/oauth/callback?error=access_denied'])(
  'the page at %s needs no script, has the style of all plain pages, and a link to continue',
  async (url) => {
    const { headers, body } = await connector.app.inject({ url, headers: { accept: 'text/html', host: 'localhost' } });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('<link rel="stylesheet" href="/style.css"/>');
    expect(body).toMatch(/<a [^>]*href="\//);
    expect(body).not.toMatch(/<script|<style|style=|onclick|javascript:/i);
    const style = await get('/style.css');
    expect([style.statusCode, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  },
);

it('each page has the icon that is served', async () => {
  const { statusCode, headers } = await get('/icon.svg');
  expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml']);
  const pages = await Promise.all(['/', '/app', '/operator'].map(get));
  for (const { body } of pages) {
    expect(body).toMatch(/<link rel="icon" type="image\/svg\+xml" href="\/icon.svg"/);
  }
});

describe('a browser that is refused', () => {
  // Of a network of its own, since what it begins counts for all behind it.
  const open = (url: string, accept = 'text/html,*/*;q=0.8') =>
    connector.app.inject({ url, headers: { accept, host: 'localhost' }, remoteAddress: '198.51.100.7' });

  it.each([
    ['/app/sign-in?to=elsewhere', 400],
    ['/nothing-here', 404],
  ])('at %s gets a page with a link to continue', async (url, status) => {
    const { statusCode, headers, body } = await open(url);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      status,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(body).toMatch(/<p role="alert">[^<]+<\/p><p><a class="next" href="\/">/);
  });

  it.each([
    ['/api/v1/jobs', 'text/html', 401],
    ['/nothing-here', 'application/json', 404],
  ])('at %s with %s gets a problem document', async (url, accept, status) => {
    const { statusCode, headers } = await open(url, accept);
    expect([statusCode, headers['content-type']]).toEqual([status, 'application/problem+json']);
  });

  it('gets a page after too many attempts to connect', async () => {
    let last = await open('/connect');
    for (let begun = 1; begun < 200 && last.statusCode === 302; begun += 1) last = await open('/connect');
    expect([last.statusCode, last.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
    expect(last.body).toContain('try again in');
  });
});

describe.each([
  ['/app', '/app/exports/0198c0de?tab=x'],
  ['/operator', '/operator/customers/0198c0de?search=x'],
])('the page at %s', (path, deep) => {
  it('is the same file at every address, with styles by a nonce of this response, and revalidated each time', async () => {
    const [one, other] = [await get(path), await get(deep)];
    const nonces = [one, other].map(({ headers, body }) => {
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] =
        /^default-src 'none';.* script-src 'self'; style-src 'self' 'nonce-([\w+/=]{24})'$/.exec(policy) ?? [];
      expect(body).toContain(`nonce="${nonce}"`);
      expect(headers['cache-control']).toBe('no-cache');
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
    expect(one.body).not.toMatch(/<script(?![^>]* src="\/app\/assets\/)[^>]*>|\sstyle=|\son\w+=/);
    const scriptOf = ({ body }: typeof one) => /src="([^"]+\.js)"/.exec(body)?.[1];
    expect(scriptOf(one)).toBe(scriptOf(other));
  });
});

it('bookkeepers and operators have separate pages', async () => {
  const scripts = await Promise.all(
    ['/app', '/operator'].map(async (path) => /src="([^"]+\.js)"/.exec((await get(path)).body)?.[1]),
  );
  expect(new Set(scripts).size).toBe(2);
});

describe('the page', () => {
  it('has scripts that a browser caches permanently', async () => {
    const [, script = ''] = /src="(\/app\/assets\/[^"]+\.js)"/.exec((await get('/app')).body) ?? [];
    const { statusCode, headers } = await get(script);
    expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await get('/app/assets/none.js')).statusCode).toBe(404);
  });

  it('has scripts that are sent as the build has compressed them', async () => {
    const [, url = ''] = /src="(\/app\/assets\/[^"]+\.js)"/.exec((await get('/app')).body) ?? [];
    const plain = await get(url);
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await connector.app.inject({ url, headers: { 'accept-encoding': encoding } });
      expect([headers['content-encoding'], headers['content-type'], headers.vary]).toEqual([
        encoding,
        plain.headers['content-type'],
        'accept-encoding',
      ]);
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
      expect(unpack(rawPayload).equals(plain.rawPayload)).toBe(true);
    }
  });

  it.each([
    '/app',
    '/app/exports',
    '/app/mapping?tab=tag',
    '/app/issues/a..b?x=/../y',
    '/app/entries/0198c0de-0000-7000-8000-000000000000',
  ])('starts a sign-in that returns to %s', async (to) => {
    const { statusCode, headers } = await get(`/app/sign-in?to=${encodeURIComponent(to)}`);
    expect(statusCode).toBe(302);
    expect([headers['set-cookie']].flat().join()).toContain(`connector_return=${to}; Max-Age=600`);
  });

  it.each([
    ...['https://evil.example', '//evil.example', '/settings', '/app\\evil', '/apple', '/app/x#y', '/app/%0d%0a x'],
    // A browser goes up for each of these.
    ...[
      '/app/../connect',
      '/app/x/../../connect',
      '/app/%2e%2E/connect',
      '/app/.%2e',
      '/app/..?x=1',
      '/app/..//evil.example',
    ],
  ])('starts no sign-in that would return to %s', async (to) => {
    expect((await get(`/app/sign-in?to=${encodeURIComponent(to)}`)).statusCode).toBe(400);
  });
});
