// What is refused before the request itself is looked at.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startedOnce } from '../../support/started-once.js';
import { at, CLIENT_ID, CLIENT_SECRET, SimulatorHarness, textAt } from './simulator-harness.js';

const simulator = startedOnce(() => SimulatorHarness.start());
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
let token: string;

beforeAll(async () => {
  const companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
});

describe('the character 0', () => {
  const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };

  it.each([
    ['a refresh token', '/oauth/token', { ...client, grant_type: 'refresh_token', refresh_token: 'a\0b' }],
    ['a code', '/oauth/token', { ...client, grant_type: 'authorization_code', code: '\0' }],
    ['the id of an application', '/oauth/token', { ...client, client_id: '\0', grant_type: 'refresh_token' }],
    ['a token to be introspected', '/oauth/token/introspect', { ...client, token: '\0' }],
    ['the name of a field', '/oauth/token/introspect', { ...client, token: 'x', '\0': 'x' }],
    ['a decision', '/oauth/interaction/x', { decision: 'approve', company_id: '\0' }],
  ])('in %s of a form is refused with 400', async (_where, path, fields) => {
    const { status, body } = await simulator.form(path, fields);
    expect([status, at(body, 'error')]).toEqual([400, 'invalid_request']);
  });

  it('in the state of an authorization request is refused with 400', async () => {
    expect(
      (await simulator.call('GET', `/oauth/authorize?client_id=${CLIENT_ID}&response_type=code&state=%00`)).status,
    ).toBe(400);
  });

  it.each([
    ['a user', '\0:x'],
    ['a password', `${CLIENT_ID}:a\0`],
    ['an encoded password', `${CLIENT_ID}:a%00`],
  ])('in %s of Basic is refused with 400', async (_where, credentials) => {
    for (const path of ['/oauth/token', '/oauth/token/introspect']) {
      const fields = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x' };
      const { status, body } = await simulator.form(path, fields, basic(credentials));
      expect([path, status, at(body, 'error')]).toEqual([path, 400, 'invalid_request']);
    }
    const answer = await simulator.call('GET', '/v1/introspect', { headers: basic(credentials) });
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('a body', () => {
  const DOCUMENTS = [
    ['a form', 'application/x-www-form-urlencoded', 'name=Project'],
    ['plain text', 'text/plain', '{}'],
    ['a page', 'text/html', '<p>'],
    ['a form of parts', 'multipart/form-data; boundary=x', '--x--'],
  ] as const;

  it('that is not JSON is refused with 415 by every operation', async () => {
    const { body } = await simulator.call('GET', '/openapi.json');
    const operations = Object.entries(Object.assign({}, at(body, 'paths')))
      .filter(([path]) => /^\/(v\d|installations)/.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(Object.assign({}, methods))
          .filter(([, described]) => at(described, 'requestBody') !== undefined)
          .map(([method]) => [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, CLIENT_ID)] as const),
      );
    expect(operations.length).toBeGreaterThan(20);
    for (const [method, path] of operations) {
      for (const [, type, text] of DOCUMENTS) {
        const answer = await simulator.call(method, path, { token, body: text, headers: { 'content-type': type } });
        expect([method, path, type, answer.status]).toEqual([method, path, type, 415]);
      }
    }
  });

  it.each(['gzip', 'br', 'x-made-up'])('in the encoding %s is refused with 415', async (encoding) => {
    const sent = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      request(
        `${simulator.url}/v0/tags:search`,
        { method: 'POST', headers: { ...headers, 'content-encoding': encoding } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      )
        .on('error', reject)
        .end(gzipSync('{}'));
    });
    expect(sent).toBe(415);
  });
});

describe('a method that an address does not support', () => {
  it.each([
    ['PATCH', '/v1/companies', 'GET, HEAD'],
    ['DELETE', '/v1/introspect', 'GET, HEAD'],
    ['GET', '/v1/chart-of-accounts:search', 'POST'],
    ['PATCH', '/v1/vendors/7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0009:archive', 'POST'],
    ['GET', '/v1/installations/me:activate', 'POST'],
    ['POST', '/v3/export-jobs/7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0009/items', 'GET, HEAD, PUT'],
    ['PROPFIND', '/v3/export-jobs', 'GET, HEAD, POST'],
    ['GET', '/oauth/token', 'POST'],
    ['POST', '/oauth/authorize', 'GET, HEAD'],
    ['POST', '/oauth/jwks', 'GET, HEAD'],
  ])('%s %s', async (method, path, allow) => {
    const { status, headers, body } = await simulator.call(method, path);
    expect([status, at(body, 'type'), headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', allow]);
  });

  it('is not reported for an address without a route', async () => {
    expect((await simulator.call('PATCH', '/v1/nothing')).status).toBe(404);
  });
});

describe('a refusal before routing', () => {
  const raw = async (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1', () => socket.end(text));
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('end', () => {
        resolve(answer);
      });
      socket.on('error', reject);
    });
  const HOST = 'Host: localhost\r\nConnection: close\r\n';

  it.each([
    ['an address that cannot be decoded', `GET /v1/companies/%zz HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['headers that are too long', `GET / HTTP/1.1\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['headers that are long', `GET /v1/companies HTTP/1.1\r\n${HOST}x: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['an address with the character 0', `GET /v1/companies?x=%00 HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['an id that is too long', `GET /v1/vendors/${'a'.repeat(400)} HTTP/1.1\r\n${HOST}\r\n`, 414],
  ])('has type and message as any other refusal: %s', async (_what, text, status) => {
    const [head = '', body = ''] = (await raw(text)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toMatch(/content-type: application\/json/i);
    expect(JSON.parse(body)).toEqual({ type: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(/./) });
  });
});

describe('the control API', () => {
  const statusAt = async (host: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${simulator.url}${path}`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  it.each([
    ['evil.example', 403],
    ['localhost.evil.example:3100', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost:3100', 200],
    ['LOCALHOST', 200],
    ['127.0.0.1', 200],
    ['[::1]:3100', 200],
  ])('at the host %s responds %s', async (host, status) => {
    expect(await statusAt(host, '/control/clock')).toBe(status);
    expect(await statusAt(host, '/')).toBe(status);
  });
});

describe('custom headers', () => {
  it.each(['content-length', 'Transfer-Encoding', 'HOST', 'connection', 'expect', 'upgrade', 'webhook-signature'])(
    'cannot set %s',
    async (name) => {
      const body = {
        endpointUrl: 'http://localhost:9/hook',
        eventTypes: ['v1.export-job.created'],
        customHeaders: { 'x-mine': '1', [name]: '5' },
      };
      const answer = await simulator.call('POST', '/v1/subscriptions', { token, body });
      expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
    },
  );
});
