import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { BadRequests, PROBLEM } from './bad-requests.js';
import { startedOnce } from '../../../support/started-once.js';

// Bad requests to the administration, row by row and over all its routes
// (docs/rules/bad-inputs.md, D3). Where the other rows are
// stands in bad-admin-rows.

const SETTINGS = {
  accounts: { wallets: { EUR: '1935' } },
  policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' },
};
/** Where more than 256 kB may be sent. */
const OWN_LIMITS: Readonly<Record<string, number>> = {
  '/api/v1/mapping/rules/import': 5 * 1_024 * 1_024,
  '/api/v1/mapping/rules/bulk': 2 * 1_024 * 1_024,
  '/api/v1/exchange-rates': 2_200_000,
};

const requests = startedOnce(() => BadRequests.start());

async function versions(): Promise<number> {
  const { rows } = await requests.admin.query<{ count: number }>('SELECT count(*)::int AS count FROM mapping_version');
  return rows[0]?.count ?? -1;
}

describe('a body', () => {
  it('that is not JSON is 400 on every route, and one of another shape breaks none [D3.7]', async () => {
    for (const { method, path } of requests.writing) {
      for (const body of ['{"', '{"a":1} x', 'NaN', '\ufeff{}', "{'a':1}"]) {
        const { status, type } = await requests.send(method, path, { body });
        // A file of rules says what is wrong with it in its own way.
        const expected = path.endsWith('/import') ? [400, 422, 428] : [400];
        expect({ path, body, status: expected.includes(status), type }).toEqual({
          path,
          body,
          status: true,
          type: PROBLEM,
        });
      }
      expect({ path, status: (await requests.send(method, path, { body: 'null' })).status }).toEqual({
        path,
        status: path.endsWith('/import') ? 428 : 400,
      });
      for (const body of ['[]', '"x"', '1', 'true', '[[[]]]']) {
        const { status } = await requests.send(method, path, { body });
        expect({ path, body, broken: status >= 500 && status !== 503 }).toEqual({
          path,
          body,
          broken: false,
        });
      }
    }
  });

  it('that is not UTF-8 is 400 [D3.7]', async () => {
    const url = `/api/v1/operator/installations/${requests.mine.id}/api-tokens`;
    const [start, end] = ['{"role":"viewer","days":1,"label":"', '"}'].map((text) => Buffer.from(text));
    const send = (label: Buffer) =>
      requests.send('POST', url, {
        bearer: OPERATOR_TOKEN,
        body: Buffer.concat([start ?? label, label, end ?? label]),
      });
    expect(await send(Buffer.from([0xff, 0xfe]))).toMatchObject({ status: 400, type: PROBLEM });
    expect(await send(Buffer.from('é'))).toMatchObject({ status: 201 });
  });

  it('of more than 256 kB is 413 on every route, except those of many rules or rates, which have their own limit [D3.9]', async () => {
    for (const { method, path } of requests.writing) {
      const bytes = OWN_LIMITS[path] ?? 256 * 1_024;
      const body = `"${'x'.repeat(bytes - 1)}"`;
      expect({ path, status: (await requests.send(method, path, { body })).status }).toEqual({
        path,
        status: 413,
      });
      const fits = await requests.send(method, path, { body: body.slice(0, -2) + '"' });
      expect({ path, isTooLarge: fits.status === 413 }).toEqual({ path, isTooLarge: false });
    }
  });

  it('of a file is not read for an anonymous client [D3.9]', async () => {
    const head = (bearer: string) =>
      `POST /api/v1/mapping/rules/import HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bearer}\r\ncontent-type: text/csv\r\ncontent-length: 5000000\r\n\r\n`;
    expect(await requests.exchangeBytes(head('cat_nobody'))).toMatch(/^HTTP\/1.1 401 /);
  });

  it.each([
    ['NUL', '{"role":"viewer","label":"a\\u0000b","days":1}'],
    ['half a pair of surrogates', '{"role":"viewer","label":"a\\ud800b","days":1}'],
    ['NUL in a key', '{"role":"viewer","label":"x","days":1,"\\u0000":1}'],
  ])('with %s in it is 422 [D3.17]', async (_, body) => {
    const url = `/api/v1/operator/installations/${requests.mine.id}/api-tokens`;
    const answer = await requests.send('POST', url, { bearer: OPERATOR_TOKEN, body });
    expect(answer).toMatchObject({ status: 422, type: PROBLEM });
    expect(answer.json).toMatchObject({ type: 'urn:problem:unusable-text' });
  });

  it.each([
    '\u202egnp.exe',
    '😀👩‍👩‍👧',
    "'; DROP TABLE connector.installation; --",
    '{{7*7}}',
    '${jndi:ldap://x/a}',
    "=cmd|' /C calc'!A0",
    '<script>alert(1)</script>',
    '%s%s%n',
    '../../etc/passwd',
  ])('with the text %j is stored unchanged [D3.17]', async (label) => {
    await requests.newToken(label);
    const { rows } = await requests.admin.query('SELECT label FROM api_token WHERE label = $1', [label]);
    expect(rows).toEqual([{ label }]);
  });
});

describe('headers', () => {
  it('of more than 16 kB are 431, at any size [D3.9]', async () => {
    for (const bytes of [16_400, 22_000, 60_000]) {
      const text = await requests.exchangeBytes(
        `GET /api/v1/jobs HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(bytes)}\r\nconnection: close\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1.1 431 [^]*application\/problem\+json[^]*urn:problem:headers-too-large/);
    }
  });

  it('that split one message into two are 400', async () => {
    const text = await requests.exchangeBytes(
      'PUT /api/v1/settings HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1.1 400 [^]*application\/problem\+json/);
  });

  it('that name two hosts are 400', async () => {
    const text = await requests.exchangeBytes(
      'GET /problems HTTP/1.1\r\nhost: x\r\nhost: y\r\nconnection: close\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1.1 400 [^]*application\/problem\+json/);
  });

  it('without If-Match, or with an outdated one, are refused [D3.12]', async () => {
    const body = JSON.stringify(SETTINGS);
    expect((await requests.send('PUT', '/api/v1/settings', { body })).status).toBe(428);
    for (const match of ['*', '"9"', 'W/"0"', '0', '"0", "1"']) {
      const { status } = await requests.send('PUT', '/api/v1/settings', {
        body,
        headers: { 'if-match': match },
      });
      expect({ match, status }).toEqual({ match, status: 412 });
    }
  });

  it('that accept another type get JSON [D3.30]', async () => {
    const answer = await requests.send('GET', '/api/v1/jobs', { headers: { accept: 'text/html' } });
    expect([answer.status, answer.type]).toEqual([200, 'application/json; charset=utf-8']);
  });

  it('of another origin get no CORS permission, on any route [D3.31]', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' };
    for (const { method, path } of requests.routes) {
      for (const asked of [
        await requests.send('OPTIONS', path, { headers }),
        await requests.send(method, path, { headers }),
      ]) {
        expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
      expect((await requests.send('OPTIONS', path, { headers })).status).toBe(405);
    }
  });
});

it('no response of the connection contains a credential [D3.35]', async () => {
  for (const path of ['/api/v1/connection', '/api/v1/subscription', '/api/v1/installation/export']) {
    const { text } = await requests.send('GET', path);
    expect(text).not.toMatch(/access-|refresh-|whsec_|endpoint-/);
  }
});

it('an aborted request is executed as a whole or not at all [D3.37]', async () => {
  const before = await versions();
  const body = JSON.stringify(SETTINGS);
  const head = (length: number) =>
    `PUT /api/v1/settings HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${requests.token}\r\nif-match: "0"\r\ncontent-type: application/json\r\ncontent-length: ${length.toString()}\r\n\r\n`;
  const breakOff = (text: string) =>
    new Promise<void>((closed) => {
      const socket = connect(requests.port, '127.0.0.1', () => socket.write(text, () => socket.resetAndDestroy()));
      socket.on('close', () => {
        closed();
      });
    });
  for (let bytes = 1; bytes < body.length; bytes += 20) {
    await breakOff(head(body.length) + body.slice(0, bytes));
  }
  expect(await versions()).toBe(before);
  await Promise.all(Array.from({ length: 20 }, () => breakOff(head(body.length) + body)));
  await requests.send('PUT', '/api/v1/settings', { body, headers: { 'if-match': '"0"' } });
  const { json } = await requests.send('GET', '/api/v1/settings');
  expect(json).toMatchObject({ version: 1, accounts: SETTINGS.accounts });
  expect(await versions()).toBe(before + 1);
});
