import { expect, it } from '@jest/globals';
import { assertReachable } from '../../../src/foundation/database/server-admin.js';
import { TimeoutAwareClient } from '../../../src/foundation/database/timeout-aware-client.js';
import { PostgresProxy, type DatabasePassage } from '../../support/servers/postgres-proxy.js';
import { TcpProxy } from '../../support/servers/tcp-proxy.js';
import { startedOnce } from '../../support/started-once.js';
import { createTestDatabase } from '../../support/test-database.js';

// A database whose host takes what is sent and says nothing: a program neither waits for it for ever nor stays after its work.

const LIMIT_MS = 300;

const server = startedOnce(createTestDatabase);

it('the first question of a program is given up, naming the variable and the host', async () => {
  const { hostname, port } = new URL(server.url);
  const silent = (): DatabasePassage => 'lost';
  const proxy = await PostgresProxy.start(
    { host: hostname, port: Number(port) },
    { onQuestion: silent, onAnswer: silent },
  );
  const address = new URL(server.url);
  address.host = `127.0.0.1:${proxy.port.toString()}`;
  await expect(assertReachable(address.toString(), 'DATABASE_URL', LIMIT_MS)).rejects.toThrow(
    `DATABASE_URL: ${address.host} cannot be used (Query read timeout)`,
  );
  await proxy.close();
});

it('a program that has done its work ends, though the server does not close its connection', async () => {
  const { hostname, port } = new URL(server.url);
  const proxy = await TcpProxy.start({ host: hostname, port: Number(port) });
  const address = new URL(server.url);
  address.host = `127.0.0.1:${proxy.port.toString()}`;
  const client = new TimeoutAwareClient({ connectionString: address.toString() });
  await client.connect();
  proxy.silence();
  await expect(client.end()).resolves.toBeUndefined();
  await proxy.close();
});
