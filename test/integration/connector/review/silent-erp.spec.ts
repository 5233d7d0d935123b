import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { createToken, insertInstallation, startConnectorApp } from '../../../support/connector-app.js';

// What a person learns who waits for an accounting system that is not there: the product's own adapter, on real sockets.

const sockets = new Set<Socket>();
let server: Server | undefined;

/** The request that still waits ends, and none follows it. */
function endServer(): void {
  server?.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

/** Takes connections and says nothing. */
async function listenInSilence(): Promise<number> {
  server = createServer((socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const port = await listenInSilence();
  server?.close();
  return port;
}

it.each([
  ['closed', closedPort, 'setup.erp-reachable.unreachable'],
  ['open, and never answers', listenInSilence, 'setup.erp-reachable.timeout'],
])('reports an accounting system whose port is %s before a request to it times out', async (_, port, code) => {
  const connector = await startConnectorApp({ LEDGER_URL: `http://127.0.0.1:${(await port()).toString()}` });
  try {
    const settings = { accounts: companyData.settings, policies: companyData.policies };
    const { installationId } = await insertInstallation(connector.admin, { settings });
    const headers = { authorization: `Bearer ${await createToken(connector, installationId, 'viewer')}` };
    const answer = await connector.app.inject({ url: '/api/v1/overview/readiness', headers });
    expect([...sockets].filter(({ closed }) => closed)).toEqual([]);
    expect(answer.json()).toMatchObject({
      ready: false,
      failedEntries: null,
      blockers: expect.arrayContaining([expect.objectContaining({ kind: 'accounting-system', code })]),
      notChecked: [{ code: 'readiness.not-checked.lists' }, { code: 'readiness.not-checked.entries' }],
    });
  } finally {
    endServer();
    await connector.close();
  }
});
