import { expect, it } from '@jest/globals';
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
