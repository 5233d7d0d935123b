import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { FileClient } from '../../../src/foundation/http/client/file-client.js';
import { HttpClient, NoResponse } from '../../../src/foundation/http/client/http-client.js';
import { after, MisbehavingServer, respondingWith } from '../../support/servers/misbehaving-server.js';
import { TcpProxy } from '../../support/servers/tcp-proxy.js';

// Platform, ERP and file host: connections that are kept and go silent cost one time-out, not one each.

const CONNECTIONS = 4;
const TIMEOUT_MS = 500;

let server: MisbehavingServer;
let proxy: TcpProxy;
let url: string;
beforeEach(async () => {
  server = await MisbehavingServer.start();
  proxy = await TcpProxy.start({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  url = `http://127.0.0.1:${proxy.port.toString()}`;
});
afterEach(async () => {
  await proxy.close();
  await server.close();
});

/** Makes as many calls at once as there may be connections, so that all of them are open and kept. */
async function openAll(send: () => Promise<unknown>): Promise<void> {
  const gate = Promise.withResolvers<undefined>();
  server.always((response) => {
    if (server.requests.length === CONNECTIONS) {
      gate.resolve(undefined);
    }
    after(gate.promise, respondingWith(200, 'x'))(response);
  });
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  // Kept connections are free only a turn after the last byte.
  await new Promise((resolve) => setImmediate(resolve));
}

it('the client of platform and ERP closes silent connections', async () => {
  const client = new HttpClient({
    baseUrl: url,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: 1_000,
    maxConnections: CONNECTIONS,
  });
  const send = () => client.send({ method: 'GET', path: '/' });
  await openAll(send);
  proxy.silence();
  await expect(send()).rejects.toBeInstanceOf(NoResponse);
  await expect(send()).resolves.toMatchObject({ status: 200 });
  client.close();
});

it('the client of files closes silent connections', async () => {
  const client = new FileClient({
    connectMs: TIMEOUT_MS,
    idleMs: TIMEOUT_MS,
    totalMs: 10_000,
    maxBytes: 1_000,
    publicHostsOnly: false,
    circuit: { failuresToOpen: 100, openMs: 1 },
  });
  const { signal } = new AbortController();
  const read = () =>
    client.read({ url: `${url}/a`, signal }, async ({ content }) => (await buffer(content)).toString());
  await openAll(read);
  proxy.silence();
  await expect(read()).rejects.toMatchObject({ problem: 'timeout' });
  await expect(read()).resolves.toBe('x');
  client.close();
});
