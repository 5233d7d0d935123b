import { beforeAll, describe, expect, it } from '@jest/globals';
import { startedOnce } from '../../support/started-once.js';
import { API_KEY, startLedger, type WirePage } from './ledger-harness.js';
import { createBooks } from './reports/reports-books.js';

// The address of an entry as a person opens it, from the platform or from the connector.

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const ledger = startedOnce(startLedger);
let path: string;
let companyKey: string;

beforeAll(async () => {
  const company = await createBooks(ledger);
  const entries = `/companies/${company}/journal-entries`;
  const { body } = await ledger.call<WirePage<{ id: string }>>('GET', `${entries}?keyPrefix=purchase`);
  path = `${entries}/${body.data[0]?.id ?? ''}`;
  companyKey = (await ledger.call<{ apiKey: string }>('POST', `/companies/${company}/api-keys`)).body.apiKey;
});

const open = (password?: string, accept = BROWSER, scheme = 'Basic') =>
  ledger.app.inject({
    method: 'GET',
    url: path,
    headers: {
      accept,
      ...(password !== undefined && {
        authorization: `${scheme} ${Buffer.from(`anybody:${password}`).toString('base64')}`,
      }),
    },
  });

it('the page at / has links, and needs no key', async () => {
  const { statusCode, body } = await ledger.app.inject({ method: 'GET', url: '/' });
  const links = [...body.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, to]) => to);
  expect([statusCode, links]).toEqual([200, ['/docs', '/new-company', '/companies', '/health']]);
});

describe('an entry in a browser', () => {
  it('requires a key, which a person enters as password', async () => {
    const { statusCode, headers } = await open();
    expect([statusCode, String(headers['www-authenticate'])]).toEqual([
      401,
      expect.stringMatching(/^Basic realm="Ledger/),
    ]);
    expect((await open('wrong')).statusCode).toBe(401);
  });

  it.each([
    ['the main key', () => API_KEY],
    ['a key of the company', () => companyKey],
  ])('is a page with its lines, for %s', async (_, key) => {
    const { statusCode, headers, body } = await open(key());
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<h1>Entry 2026-000001</h1>');
    expect(body).toMatch(/<td>\d+<\/td><td>[\d.]+<\/td><td><\/td>/);
    expect(headers['content-security-policy']).toContain(`default-src 'none'`);
  });

  it('is JSON for a program, which sends its key as a token and not as a password', async () => {
    const { status, text } = await ledger.read(path);
    expect([status, text.startsWith('{')]).toEqual([200, true]);
    const { statusCode, headers } = await open(API_KEY, 'application/json');
    expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });

  it('allows reading only with a password', async () => {
    const { statusCode } = await ledger.app.inject({
      method: 'POST',
      url: path.replace(/\/journal-entries.*/, '/api-keys'),
      headers: { accept: BROWSER, authorization: `Basic ${Buffer.from(`x:${API_KEY}`).toString('base64')}` },
    });
    expect(statusCode).toBe(401);
  });
});
