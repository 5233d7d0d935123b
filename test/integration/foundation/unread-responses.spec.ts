import { once } from 'node:events';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { startConnectorApp } from '../../support/connector-app.js';
import { startedOnce } from '../../support/started-once.js';

const connector = startedOnce(startConnectorApp);
/** Together more than a connection holds by itself. */
const REQUESTS = 40;

it('a response that is not read does not keep its connection', async () => {
  const { app } = connector;
  await app.listen(0, '127.0.0.1');
  const { server } = app.getHttpAdapter().getInstance();
  expect(server.timeout).toBe(120_000);
  // The same in a moment, but longer than the first response takes.
  await app.inject('/api/openapi.json');
  server.setTimeout(3_000);
  const accepted = once(server as Server, 'connection') as Promise<[Socket]>;
  const stranger = connect((server.address() as AddressInfo).port, '127.0.0.1');
  stranger.pause();
  stranger.on('error', () => undefined);
  stranger.write('GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(REQUESTS));
  const [connection] = await accepted;
  await once(connection, 'close');
  expect(connection.bytesWritten).toBeGreaterThan(0);
  stranger.destroy();
});
