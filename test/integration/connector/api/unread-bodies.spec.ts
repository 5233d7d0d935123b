import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { UNKNOWN_ID, BadRequests } from './bad-requests.js';
import { startedOnce } from '../../../support/started-once.js';
import { runningRoutes } from '../isolation/running-routes.js';

// Whose body it is, is known before it is read: the requests here announce one, send none of it, and are answered.

const requests = startedOnce(() => BadRequests.start());

function announce(method: string, path: string, bytes: number, headers = ''): Promise<string> {
  const type = 'content-type: application/json\r\n';
  const length = `content-length: ${bytes.toString()}\r\n`;
  return requests.exchangeBytes(`${method} ${path} HTTP/1.1\r\nhost: x\r\n${type}${length}${headers}\r\n`);
}

it('an anonymous client is refused on every route with a body', async () => {
  const routes = runningRoutes(requests.connector.app).filter(
    (route) => /^(POST|PUT|PATCH|DELETE) \//.test(route) && !route.includes(' /webhooks/'),
  );
  expect(routes.length).toBeGreaterThan(40);
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    const url = path.replaceAll('{}', UNKNOWN_ID);
    for (const headers of ['', 'authorization: Bearer cat_nobody\r\n', 'cookie: connector_session=nobody\r\n']) {
      for (const bytes of [200_000, 100]) {
        expect([route, headers, await announce(method, url, bytes, headers)]).toEqual([
          ...[route, headers],
          expect.stringMatching(/^HTTP\/1.1 401 /),
        ]);
      }
    }
  }
}, 120_000);

it('on an address without a route, a body is ignored', async () => {
  expect(await announce('POST', '/nowhere', 200_000)).toMatch(/^HTTP\/1.1 404 /);
  expect(await announce('POST', '/connect', 200_000)).toMatch(/^HTTP\/1.1 405 /);
  expect(await announce('GET', '/connect', 4_097)).toMatch(/^HTTP\/1.1 413 /);
});

it('a message of more than 64 kB is refused for its length', async () => {
  expect(await announce('POST', `/webhooks/${requests.mine.endpointToken}`, 64 * 1_024 + 1)).toMatch(/^HTTP\/1.1 413 /);
});

describe('bodies of an installation that are under way [S47]', () => {
  const FILE = `content-length: ${(5 * 1_024 * 1_024).toString()}`;
  const TOO_LONG = `content-length: ${(5 * 1_024 * 1_024 + 1).toString()}`;
  const IS_REFUSED = /^HTTP\/1.1 429 .*Too much is being sent at the same time/s;
  const HAS_ROOM = /^HTTP\/1.1 413 /;
  const begun: Socket[] = [];
  const headOf = (start: string, headers: readonly string[] = []) =>
    [`${start} HTTP/1.1`, 'host: x', `authorization: Bearer ${requests.token}`, ...headers, '', ''].join('\r\n');
  const importHead = (length: string) =>
    headOf('POST /api/v1/mapping/rules/import', ['content-type: text/csv', length]);
  /** Sends the head of a request, and nothing of its body. */
  const begin = (head: string) => {
    const socket = connect(requests.port, '127.0.0.1');
    socket.on('error', () => undefined).write(head);
    begun.push(socket);
  };
  /** One more that is a byte too long: where there is room for it, it is refused for its length, and none of it is read. */
  const untilOneMore = async (expected: RegExp) => {
    let answer = '';
    // What was begun or broken off before is counted in its own time; each answer takes as long as that.
    for (let attempt = 0; attempt < 200 && !expected.test(answer); attempt += 1) {
      answer = await requests.exchangeBytes(importHead(TOO_LONG));
    }
    expect(answer).toMatch(expected);
  };
  const breakOff = () => {
    begun.splice(0).forEach((socket) => socket.destroy());
  };
  afterEach(breakOff);

  it('are no more than 16 MB, whether they say how long they are or not; what is broken off makes room', async () => {
    begin(importHead(FILE));
    begin(importHead(FILE));
    begin(importHead('transfer-encoding: chunked'));
    await untilOneMore(IS_REFUSED);
    // A small one has room.
    expect((await requests.send('PUT', '/api/v1/me/language', { body: '{"language":"de"}' })).status).toBe(403);
    breakOff();
    await untilOneMore(HAS_ROOM);
  });

  it('are not counted when they were broken off while their caller was looked up', async () => {
    const server = requests.connector.app.getHttpServer();
    await requests.admin.query('BEGIN; LOCK TABLE api_token IN ACCESS EXCLUSIVE MODE');
    for (let file = 0; file < 4; file += 1) {
      const head = importHead(FILE);
      begin(head);
      const [peer] = (await once(server, 'connection')) as [Socket];
      while (peer.bytesRead < head.length) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      const closed = once(peer, 'close');
      breakOff();
      await closed;
    }
    await requests.admin.query('ROLLBACK');
    for (let file = 0; file < 20; file += 1) {
      expect(await requests.exchangeBytes(importHead(TOO_LONG))).toMatch(HAS_ROOM);
    }
  });
});
