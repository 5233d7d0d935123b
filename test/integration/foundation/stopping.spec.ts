import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { startConnectorApp } from '../../support/connector-app.js';

it('a stopping program does not wait for a connection without a request', async () => {
  const connector = await startConnectorApp();
  const { app } = connector;
  await app.listen(0, '127.0.0.1');
  const { server } = app.getHttpAdapter().getInstance();
  const accepted = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const ended = once(socket, 'close');
  await accepted;
  await connector.close();
  await ended;
  expect(socket.bytesRead).toBe(0);
});
