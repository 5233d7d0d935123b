import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { HttpClient, NoResponse } from '../../../src/foundation/http/client/http-client.js';
import { respondingWith, MisbehavingServer, reset, type Behavior } from '../../support/servers/misbehaving-server.js';
import { startedOnce } from '../../support/started-once.js';

const FAILURES = 3;
const OPEN_MS = 5_000;
const READ = { method: 'GET', path: '/' } as const;

const server = startedOnce(() => MisbehavingServer.start());
let client: HttpClient;

beforeEach(() => {
  client = new HttpClient({
    baseUrl: server.url,
    timeoutMs: 5_000,
    maxResponseBytes: 1_000,
    maxConnections: 2,
    circuit: { failuresToOpen: FAILURES, openMs: OPEN_MS },
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  client.close();
});

const send = () => client.send(READ).catch((error: unknown) => error);

async function fail(behavior: Behavior, times = FAILURES): Promise<void> {
  server.always(behavior);
  for (let count = 0; count < times; count += 1) {
    await send();
  }
}

it.each([
  ['answers 503', respondingWith(503, {})],
  ['hangs up', reset],
])('a system that %s every time is paused for a moment, and nothing is sent', async (_, behavior) => {
  await fail(behavior);
  const refused = await send();
  expect(refused).toBeInstanceOf(NoResponse);
  expect(refused).toMatchObject({ sent: false });
  expect(server.requests).toHaveLength(FAILURES);
});

it('one request is tried after the pause; when it succeeds the others follow', async () => {
  const now = Date.now();
  await fail(respondingWith(503, {}));
  jest.spyOn(Date, 'now').mockReturnValue(now + 10 * OPEN_MS);
  server.always(respondingWith(200, {}));
  expect(await send()).toMatchObject({ status: 200 });
  expect(await send()).toMatchObject({ status: 200 });
  expect(server.requests).toHaveLength(2);
});

it('when the trial fails, the pause starts again', async () => {
  const now = Date.now();
  await fail(respondingWith(503, {}));
  jest.spyOn(Date, 'now').mockReturnValue(now + 10 * OPEN_MS);
  expect(await send()).toMatchObject({ status: 503 });
  expect(await send()).toMatchObject({ name: 'NoResponse', sent: false });
  expect(server.requests).toHaveLength(FAILURES + 1);
});

it('refusals do not count as failures of the system, and a success resets the count', async () => {
  await fail(respondingWith(422, {}), FAILURES + 2);
  await fail(respondingWith(503, {}), FAILURES - 1);
  await fail(respondingWith(200, {}), 1);
  await fail(respondingWith(503, {}), FAILURES - 1);
  server.always(respondingWith(200, {}));
  expect(await send()).toMatchObject({ status: 200 });
});
