import { once } from 'node:events';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { startConnectorApp } from '../../support/connector-app.js';
import { startedOnce } from '../../support/started-once.js';

const connector = startedOnce(startConnectorApp);
/** Together more than a connection holds by itself. */
const REQUESTS = 40;

beforeAll(async () => {
  await connector.app.listen(0, '127.0.0.1');
});

it('a connection beyond as many as a process takes is closed at once, counted, and the others are served', async () => {
  const { server } = connector.app.getHttpAdapter().getInstance();
  expect(server.maxConnections).toBe(5_000);
  // The same with two.
  server.maxConnections = 2;
  const [first, second, third] = [await open(), await open(), await open()];
  await once(third.resume(), 'close');
  expect(third.bytesRead).toBe(0);
  expect(await closedConnections()).toBe(1);
  first.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  expect(String(await once(first, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
  first.destroy();
  second.destroy();
  server.maxConnections = 5_000;
});

async function open(): Promise<Socket> {
  const { server } = connector.app.getHttpAdapter().getInstance();
  const stranger = connect((server.address() as AddressInfo).port, '127.0.0.1');
  stranger.on('error', () => undefined);
  await once(stranger, 'connect');
  return stranger;
}

async function closedConnections(): Promise<number | undefined> {
  const metric = await register.getSingleMetric('http_server_connections_closed_total')?.get();
  return metric?.values[0]?.value;
}

it('a response that is not read does not keep its connection', async () => {
  const { app } = connector;
  const { server } = app.getHttpAdapter().getInstance();
  expect(server.timeout).toBe(120_000);
  // The same in a moment, but longer than the first response takes.
  await app.inject('/api/openapi.json');
  server.setTimeout(3_000);
  const accepted = once(server as Server, 'connection') as Promise<[Socket]>;
  const stranger = await open();
  stranger.pause();
  stranger.write('GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(REQUESTS));
  const [connection] = await accepted;
  await once(connection, 'close');
  expect(connection.bytesWritten).toBeGreaterThan(0);
  stranger.destroy();
});
