import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LedgerErp } from '../../../src/connector/erp/ledger/ledger-erp.adapter.js';
import { Secret } from '../../../src/foundation/config/secret.js';
import type { ErpCompanyId } from '../../../src/kernel/ids.js';
import { createCompany, LEDGER_KEY, startLedgerServer, type LedgerServer } from './ledger-server.js';
import { postingGroup } from './posting-group.builder.js';

// The ledger commits and its answer is lost on the way: a gateway in between answers 504.

let ledger: LedgerServer;
let gateway: Server;
let losesAnswers = false;
let erp: LedgerErp;
let company: ErpCompanyId;

beforeAll(async () => {
  ledger = await startLedgerServer();
  company = await createCompany(ledger);
  gateway = createServer((request, response) => {
    void forward(request).then(({ status, body }) => {
      response.writeHead(losesAnswers ? 504 : status, { 'content-type': 'application/json' });
      response.end(losesAnswers ? '' : body);
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo;
  erp = new LedgerErp({ url: `http://127.0.0.1:${port.toString()}`, apiKey: new Secret(LEDGER_KEY) });
});
afterAll(async () => {
  erp.close();
  gateway.closeAllConnections();
  await new Promise((resolve) => gateway.close(resolve));
  await ledger.close();
});

async function forward(
  request: IncomingMessage,
): Promise<{ readonly status: number; readonly body: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(Buffer.from(chunk as Uint8Array));
  }
  const answer = await fetch(`${ledger.url}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: passedOn(request),
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks).toString() }),
  });
  return { status: answer.status, body: await answer.text() };
}

function passedOn(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

it('a posting whose answer was lost is found by its key, and sending it again makes no second entry', async () => {
  losesAnswers = true;
  expect(await erp.post(company, [postingGroup('a')])).toMatchObject([{ outcome: 'unknown' }]);

  losesAnswers = false;
  const found = await erp.findPosted(company, ['a', 'b']);
  expect(found.get('a')).toMatchObject({
    contentDigest: 'digest of a',
    entries: [{ number: '2026-000001' }],
  });
  expect(found.has('b')).toBe(false);
  expect(await erp.post(company, [postingGroup('a')])).toMatchObject([
    { outcome: 'existed', posted: { entries: [{ number: '2026-000001' }] } },
  ]);
  expect(await ledger.get(`/companies/${company}/trial-balance`)).toMatchObject({ entries: 1 });
});

it('a vendor whose answer was lost is the one that asking again returns', async () => {
  const vendor = { id: 'v', name: 'Bolt' };
  losesAnswers = true;
  expect(await erp.createVendor(company, vendor, 'k')).toMatchObject({ outcome: 'unavailable' });

  losesAnswers = false;
  expect(await erp.createVendor(company, vendor, 'k')).toMatchObject({
    outcome: 'existed',
    vendor: { code: 'V-00001' },
  });
});
