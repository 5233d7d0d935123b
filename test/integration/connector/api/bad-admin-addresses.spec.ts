import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { cursorSuffix } from '../../../../src/foundation/http/bound-cursors.interceptor.js';
import { BadRequests, UNKNOWN_ID, PROBLEM, type Route } from './bad-requests.js';
import { startedOnce } from '../../../support/started-once.js';

// Addresses and queries of the administration that are none
// (docs/rules/bad-inputs.md, D3; the other rows: bad-admin-requests).

const requests = startedOnce(() => BadRequests.start());

/** In the form of what some list gives out, but no database takes them. */
const UNSTORABLE = [
  ['2026-99-99T99:99:99.999Z', UNKNOWN_ID],
  ['2026-02-30T00:00:00.000Z', UNKNOWN_ID],
  ['2026-03-31T22:00:00.000Z', '0'.repeat(36)],
  ['2026-99-99T99:99:99.999Z', 'accepted.x'],
  ['2026-99-99T99:99:99.999Z', UNKNOWN_ID, 'company'],
  ['2026-03-31T22:00:00.000Z', UNKNOWN_ID, 'a\0b'],
  ['2026-03-31T22:00:00.000Z', UNKNOWN_ID, '\ud800'],
  ['0'.repeat(36)],
  ['-'.repeat(36)],
];

/** With an unknown id the list itself is not found. */
const refusalOf = ({ path }: Route) => (path.includes(UNKNOWN_ID) ? [400, 404] : [400]);

describe('an address', () => {
  it('of more than 8 kB is 414 [D3.9]', async () => {
    const long = `/api/v1/jobs?after=${'x'.repeat(8_192)}`;
    expect(await requests.send('GET', long)).toMatchObject({ status: 414, type: PROBLEM });
    expect(await requests.send('GET', long.slice(0, 8_192))).toMatchObject({ status: 400 });
  });

  it('with NUL in it is 400 on every route [D3.17]', async () => {
    for (const { method, path } of requests.routes) {
      const { status, type } = await requests.send(method, `${path}?x=%00`);
      expect({ path, status, type }).toEqual({ path, status: 400, type: PROBLEM });
    }
    expect(await requests.send('GET', '/api/v1/issues/%00')).toMatchObject({ status: 404, type: PROBLEM });
  });

  it.each([
    '/api/v1/jobs/',
    '/Api/v1/jobs',
    '/api/v1/jobs;x',
    '/api/v1//jobs',
    '/api/v1/%2e%2e/v1/jobs/x/y',
    '/admin',
    '/health/live',
    '/health/ready',
    '/metrics',
    '/api/v0/jobs',
    '/api/v2/jobs',
  ])('%s is 404, with a pointer to what there is [D3.32, D3.34, D3.36]', async (url) => {
    const answer = await requests.send('GET', url);
    expect(answer).toMatchObject({ status: 404, type: PROBLEM });
    expect(answer.headers.link).toBe('</api/openapi.json>; rel="service-desc"');
  });

  it.each(['/api/v1/jobs/%zz', '/%', '/api/v1/jobs/%c0%ae'])('%s is not an address [D3.32]', async (url) => {
    expect(await requests.exchangeBytes(`GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 (400|401|404) [^]*application\/problem\+json/,
    );
  });

  it('accepts only its own methods [D3.21]', async () => {
    const answer = await requests.send('DELETE', `/api/v1/jobs/${randomUUID()}`);
    expect(answer).toMatchObject({ status: 405, type: PROBLEM });
    expect(answer.headers.allow).toBe('GET, HEAD');
    for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'TRACK', 'FOO']) {
      const text = await requests.exchangeBytes(
        `${method} /api/v1/jobs HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      );
      expect({ method, answer: /^HTTP\/1.1 (400|404|405|501) /.test(text) || text === '' }).toEqual({
        method,
        answer: true,
      });
    }
  });

  it('does not allow a method override [D3.28]', async () => {
    const headers = {
      'x-http-method-override': 'DELETE',
      'x-method-override': 'DELETE',
      'x-http-method': 'DELETE',
    };
    const url = '/api/v1/installation';
    expect((await requests.send('POST', url, { headers })).status).toBe(405);
    expect((await requests.send('GET', `${url}?_method=DELETE`, { headers })).status).toBe(405);
    expect((await requests.send('GET', '/api/v1/connection', { headers })).status).toBe(200);
    const { rows } = await requests.admin.query('SELECT state FROM installation WHERE id = $1', [requests.mine.id]);
    expect(rows).toEqual([{ state: 'active' }]);
  });
});

describe('a query', () => {
  it('with an invalid limit is 400 on every list [D3.10]', async () => {
    const lists = requests.reading.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'));
    expect(lists.length).toBeGreaterThan(10);
    for (const list of lists) {
      for (const limit of ['0', '-1', '1000000000', 'abc', '1e3', '1.5', '', '%201', '0x10', 'NaN']) {
        const { status, type } = await requests.send('GET', `${list.path}?limit=${limit}`);
        expect({ path: list.path, limit, status, type }).toEqual({
          path: list.path,
          limit,
          status: 400,
          type: PROBLEM,
        });
      }
    }
  });

  it('with a parameter that no list knows is 400 [D3.10, D3.33]', async () => {
    for (const { path } of requests.reading) {
      for (const query of ['offset=1000000', 'page=2', 'sort=secret', 'before=x', '__proto__=x', 'a[b]=c']) {
        const { status } = await requests.send('GET', `${path}?${query}`);
        // Without a query of its own a route looks at none; 503: there is no ERP here.
        expect({ path, query, broken: status >= 500 && status !== 503 }).toEqual({
          path,
          query,
          broken: false,
        });
      }
    }
    for (const query of ['offset=1', 'page=2', 'sort=id', 'before=x&after=y']) {
      expect((await requests.send('GET', `/api/v1/jobs?${query}`)).status).toBe(400);
    }
  });

  it('with a cursor of another list is 400 [D3.11]', async () => {
    const forged = [
      'forged',
      'W10',
      'bnVsbA',
      Buffer.from('["x"]').toString('base64url'),
      Buffer.from('["2026-01-01","x","y","z"]').toString('base64url'),
      Buffer.from(`["' OR 1=1 --","x"]`).toString('base64url'),
      Buffer.from('{"__proto__":1}').toString('base64url'),
      Buffer.from('[[[[1]]]]').toString('base64url'),
      'x'.repeat(4_000),
      ...UNSTORABLE.map((values) => Buffer.from(JSON.stringify(values)).toString('base64url')),
    ];
    const lists = requests.reading.filter(({ parameters }) => parameters.some(({ name }) => name === 'after'));
    expect(lists.length).toBeGreaterThan(10);
    for (const list of lists) {
      const suffix = cursorSuffix(requests.mine.id, list.path, {});
      for (const cursor of [...forged, ...forged.map((each) => each + suffix), suffix]) {
        const { status, type } = await requests.send('GET', `${list.path}?after=${cursor}`);
        expect({ path: list.path, cursor, is: refusalOf(list).includes(status), type }).toEqual({
          path: list.path,
          cursor,
          is: true,
          type: PROBLEM,
        });
      }
    }
  });

  it.each(['2026-123T00:00Z', '2009-W21-2T01:22Z', '2026-03-31T22Z', '2026-02-30T00:00Z', '20260331T220000Z'])(
    'with %s as an instant is 400 [D3.11]',
    async (instant) => {
      for (const name of ['from', 'to']) {
        const answer = await requests.send('GET', `/api/v1/audit?${name}=${instant}`);
        expect(answer).toMatchObject({ status: 400, type: PROBLEM });
      }
    },
  );

  it.each(['2026-03-31T22:00Z', '2026-03-31T22:00:00Z', '2026-03-31T22:00:00.123Z'])(
    'may have %s as an instant [D3.11]',
    async (instant) => {
      expect((await requests.send('GET', `/api/v1/audit?from=${instant}`)).status).toBe(200);
    },
  );

  it.each(['2026-02-30', '2026-02-29', '2026-04-31', '0000-01-01'])('with the day %s is 400 [D3.19]', async (day) => {
    for (const name of ['from', 'to']) {
      const answer = await requests.send('GET', `/api/v1/entries?${name}=${day}`);
      expect(answer).toMatchObject({ status: 400, type: PROBLEM });
    }
  });

  it.each(['0000-01-01T00:00Z', '0000-12-31T23:59:59Z'])('with the instant %s is 400 [D3.19]', async (instant) => {
    for (const name of ['from', 'to']) {
      const answer = await requests.send('GET', `/api/v1/audit?${name}=${instant}`);
      expect(answer).toMatchObject({ status: 400, type: PROBLEM });
    }
  });

  it('with a repeated value is 400 where one is expected [D3.29]', async () => {
    const scalars = requests.routes.flatMap((route) =>
      route.parameters
        .filter((parameter) => parameter.in === 'query' && parameter.schema?.type !== 'array')
        .map(({ name }) => ({ ...route, name })),
    );
    expect(scalars.length).toBeGreaterThan(30);
    for (const { method, path, name } of scalars) {
      const { status, type } = await requests.send(method, `${path}?${name}=1&${name}=2`);
      expect({ method, path, name, status, type }).toEqual({
        method,
        path,
        name,
        status: 400,
        type: PROBLEM,
      });
    }
  });

  it.each(['2026-13', '0000-01', '2026-00', '2026-2', '99999-01', '2026-02-30', '9999-12', 'x'])(
    'with the month %s is 400 [D3.19]',
    async (month) => {
      const { status } = await requests.send('GET', `/api/v1/month-ends/${month}`);
      expect([400, 404, 422]).toContain(status);
    },
  );
});
