import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createTestDatabase } from '../../support/test-database.js';

// The first process of a container gets no default action of a signal: without a handler it would go on until it is killed.
it.each(['main', 'worker'])('%s that is stopped while it starts stops as soon as it has started', async (name) => {
  const database = await createTestDatabase();
  const { promise: gate, resolve: open } = Promise.withResolvers<undefined>();
  const { hostname, port } = new URL(database.url);
  const slow = createServer((socket) => {
    void gate.then(() => {
      const onward = connect(Number(port), hostname);
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) {
        end.on('error', () => {
          socket.destroy();
          onward.destroy();
        });
      }
    });
  });
  slow.listen(0, '127.0.0.1');
  const accepted = once(slow, 'connection');
  await once(slow, 'listening');
  const address = new URL(database.url);
  address.host = `127.0.0.1:${(slow.address() as AddressInfo).port.toString()}`;
  const child = spawn(process.execPath, [resolve(`dist/connector/${name}.js`)], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'development',
      DATABASE_URL: address.href,
      PORT: '0',
      INTERNAL_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk) => (log += String(chunk)));
  const ended = once(child, 'exit');
  await accepted;
  child.kill('SIGTERM');
  setTimeout(() => {
    open(undefined);
  }, 500);
  expect(await ended).toEqual([0, null]);
  expect(log).toContain('process.stopping');
  slow.close();
  await database.drop();
});
