import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { connectCompany, createApiToken, saveSettings } from '../../src/sandbox/launch/demo/connect-company.js';
import { readDemoErp } from '../../src/sandbox/launch/demo/demo-erp.js';
import { firstCustomer, type DemoCustomer } from '../../src/sandbox/launch/demo/demo-customers.js';
import { exportItemOf } from '../../src/sandbox/launch/demo/items/export-item.js';
import { ProgramClient } from '../../src/sandbox/launch/demo/program-client.js';
import { secondCustomer } from '../../src/sandbox/launch/demo/second-company.js';
import { seedLedger } from '../../src/sandbox/launch/demo/seed-ledger.js';
import { addItems, seedPlatform } from '../../src/sandbox/launch/demo/seed-platform.js';
import { triggerExport, waitForVerdict } from '../../src/sandbox/launch/demo/trigger-export.js';
import { RunningPrograms } from '../support/running-programs.js';
import { HttpProxy } from '../../src/erp-contract/http-proxy.js';
import { startedOnce } from '../support/started-once.js';

/** So many that they are posted in several requests. */
const PURCHASES = 600;
const FIRST_PURCHASE = 20_000_000;
/** Into the last ten minutes of a job's hour, in which nothing more is posted and the verdict is sent. */
const UNTIL_REPORT_SECONDS = 52 * 60;

const keySchema = z.object({ id: z.string(), apiKey: z.string() });
const connectionSchema = z.object({ state: z.string(), problem: z.string().nullable() });
const installationSchema = z.object({ installationId: z.string() });
const jobItemsSchema = z.object({
  data: z.array(z.object({ failureType: z.string().nullable(), failureReason: z.string().nullable() })),
});
const testSchema = z.object({ companies: z.array(z.object({ id: z.string() })) });
const batchesSchema = z.object({ data: z.array(z.object({ number: z.number() })) });
const balanceSchema = z.object({ entries: z.number() });

const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
const wire = startedOnce(startWire);
const second = startedOnce(async () => connectSecond());
let tenants: readonly [Tenant, Tenant];

/** What only one customer's accounting system may ever see. */
interface Tenant {
  readonly own: readonly string[];
}

/** The second customer's, in the ledger. */
let key: z.infer<typeof keySchema>;

/** A proxy in front of the ledger that keeps everything that passes, in both directions. */
async function startWire() {
  const proxy = await HttpProxy.start(0, ledgerUrl());
  const passed: string[] = [];
  proxy.listener = (request, answer) => {
    passed.push(`${request.method} ${request.path} ${JSON.stringify(request.headers)} ${request.body.toString()}`);
    passed.push(`${JSON.stringify(answer.headers)} ${answer.body}`);
  };
  return { proxy, passed, close: () => proxy.close() };
}

async function connectSecond(): Promise<{ readonly connector: ProgramClient; close(): Promise<void> }> {
  const { simulator, ledger } = programs.clients;
  await seedLedger(ledger, secondCustomer);
  await seedPlatform(simulator, secondCustomer);
  await addItems(simulator, secondCustomer);
  await simulator.post(`/control/companies/${secondCustomer.company.id}/items`, purchases());
  const { url, token } = programs.operator;
  const operator = new ProgramClient('connector', url, token);
  const addresses = { connectorUrl: url, simulatorUrl: programs.connectorEnvironment['PLATFORM_AUTH_URL'] ?? '' };
  const installationId = await connectCompany(addresses, operator, programs.clock, secondCustomer);
  const connector = new ProgramClient('connector', url, await createApiToken(operator, installationId));
  operator.close();
  await saveSettings(connector, secondCustomer);
  return {
    connector,
    close: () => {
      connector.close();
      return Promise.resolve();
    },
  };
}

function purchases() {
  const owner = { companyId: secondCustomer.company.id, accounts: secondCustomer.accounts };
  return Array.from({ length: PURCHASES }, (_, index) =>
    exportItemOf(
      {
        type: 'card_purchase',
        at: '2026-11-05T10:00',
        by: 'astrid',
        supplier: 'Konstnärernas',
        note: 'Veneer',
        wallet: 'SEK',
        method: 'journal',
        lines: [['5460', '125.00', 'swedish']],
      },
      FIRST_PURCHASE + index,
      owner,
    ),
  );
}

/** Makes a key of the second company in the ledger and connects its installation with it, through the wire. */
async function giveKey(): Promise<void> {
  const { ledger } = programs.clients;
  const path = `/companies/${secondCustomer.company.ledgerId}/api-keys`;
  key = ledger.parse(keySchema, await ledger.post(path, {}), path);
  programs.watch.search.learn('key of the ledger', key.apiKey);
  const settings = { url: wire.proxy.url, apiKey: key.apiKey };
  await second.connector.put('/api/v1/erp-connection', { json: { kind: 'ledger', settings, confirmChange: true } });
}

/** An accounting system without an interface: what is posted becomes a file. */
async function connectToFiles(): Promise<Tenant> {
  const { connector } = programs.clients;
  const { kind, settings } = readDemoErp('files', undefined, undefined);
  await connector.put('/api/v1/erp-connection', { json: { kind, settings, confirmChange: true } });
  const path = '/api/v1/erp-connection/test';
  const { companies } = connector.parse(testSchema, await connector.post(path, {}), path);
  await connector.put('/api/v1/erp-company', { json: { erpCompanyId: companies[0]?.id } });
  return { own: await namesOf(connector, firstCustomer) };
}

async function connectToLedger(): Promise<Tenant> {
  await giveKey();
  const { ledgerId } = secondCustomer.company;
  await second.connector.put('/api/v1/erp-company', { json: { erpCompanyId: ledgerId } });
  return { own: [key.apiKey, ledgerId, ...(await namesOf(second.connector, secondCustomer))] };
}

async function namesOf(connector: ProgramClient, { company, items }: DemoCustomer): Promise<readonly string[]> {
  const { installationId } = await connector.read('/api/v1/connection', installationSchema);
  return [installationId, company.id, company.name, ...items.map(({ item }) => item.accountingEntryId)];
}

/** Past the wire. */
const ledgerUrl = () => programs.connectorEnvironment['LEDGER_URL'] ?? '';

const entriesOf = async ({ company }: DemoCustomer) =>
  (await programs.clients.ledger.read(`/companies/${company.ledgerId}/trial-balance`, balanceSchema)).entries;

beforeAll(async () => {
  tenants = [await connectToFiles(), await connectToLedger()];
});

describe('two installations, one with a ledger, one with files', () => {
  it('one goes on to its end while the credentials of the other are revoked in the middle of its export', async () => {
    const { simulator, connector } = programs.clients;
    const { id } = key;
    let requests = 0;
    wire.proxy.boundaries = {
      onRequest: async ({ method, path }) => {
        requests += method === 'POST' && path.endsWith('/posting-groups') ? 1 : 0;
        if (requests === 2) {
          await revokeKey(id);
        }
        return true;
      },
    };
    await triggerExport(simulator, secondCustomer);
    await triggerExport(simulator, firstCustomer);
    // Those in other currencies fail: the files bring no exchange rates.
    expect(await programs.verdict()).toMatchObject({
      state: 'completed_with_errors',
      numberOfItems: 147,
      successful: 106,
      failed: 41,
    });
    // The ledger has nothing of it; its entries are in the next batch.
    expect(await entriesOf(firstCustomer)).toBe(0);
    while ((await connectionOf(second.connector)).state === 'ok') {
      await programs.clock.sleep(200);
    }
    await simulator.post('/control/clock', { advanceSeconds: UNTIL_REPORT_SECONDS });
    const job = await waitForVerdict(second.connector, programs.clock, () => undefined);
    expect(job).toMatchObject({ state: 'completed_with_errors', numberOfItems: 606 });
    expect(job.successful).toBeGreaterThan(0);
    expect(job.failed).toBeGreaterThan(0);
    expect(await entriesOf(secondCustomer)).toBe(job.successful);
    const { data } = await second.connector.read(`/api/v1/jobs/${job.id}/items?state=failed&limit=100`, jobItemsSchema);
    expect(new Set(data.map(({ failureType }) => failureType))).toEqual(
      new Set(['accounting_system_authentication_failure']),
    );
    expect(data[0]?.failureReason).toContain('does not accept the connector’s credentials');
    expect((await connectionOf(connector)).state).toBe('ok');
    expect(await connectionOf(second.connector)).toMatchObject({
      state: 'needs-reauthorization',
      problem: expect.stringContaining('Renew them'),
    });
  });

  it('with new credentials the other posts what was left, each entry once', async () => {
    await giveKey();
    expect((await connectionOf(second.connector)).state).toBe('ok');
    await triggerExport(programs.clients.simulator, secondCustomer);
    let job = await waitForVerdict(second.connector, programs.clock, () => undefined);
    while (job.numberOfItems === 606) {
      job = await waitForVerdict(second.connector, programs.clock, () => undefined);
    }
    expect(job).toMatchObject({ state: 'completed', failed: 0 });
    expect(await entriesOf(secondCustomer)).toBe(606);
  });

  it('no data of one company ever reaches the accounting system of the other, and nothing is posted with the main key', async () => {
    const file = await nextBatches(programs.clients.connector);
    const passed = wire.passed.join('\n');
    const [ofFiles, ofLedger] = tenants;
    expect(passed).toContain(secondCustomer.company.ledgerId);
    expect(ofFiles.own.filter((text) => passed.includes(text))).toEqual([]);
    expect(ofFiles.own.filter((text) => file.includes(text)).length).toBeGreaterThan(100);
    expect(ofLedger.own.filter((text) => file.includes(text))).toEqual([]);
    // Until both customers have a connection of their own, the sandbox's main key may create vendors in the ledger.
    const changes = programs.ledgerProxy.seen.filter(({ method }) => method !== 'GET');
    expect(changes.filter(({ path }) => !path.endsWith('/vendors'))).toEqual([]);
  });
});

/** Text of the files that are made now. */
async function nextBatches(connector: ProgramClient): Promise<string> {
  const path = '/api/v1/erp-batches';
  const { data } = connector.parse(batchesSchema, await connector.post(path, {}), path);
  const { installationId } = await connector.read('/api/v1/connection', installationSchema);
  const { url, token } = programs.operator;
  const operator = new ProgramClient('connector', url, token);
  const headers = { authorization: `Bearer ${await createApiToken(operator, installationId)}` };
  operator.close();
  const files = await Promise.all(
    data.map(async ({ number }) => (await fetch(`${url}${path}/${number.toString()}`, { headers })).text()),
  );
  return files.join('\n');
}

async function revokeKey(id: string): Promise<void> {
  const answer = await fetch(`${ledgerUrl()}/companies/${secondCustomer.company.ledgerId}/api-keys/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${programs.connectorEnvironment['LEDGER_API_KEY'] ?? ''}` },
  });
  // A second request may come while the first one revokes.
  expect([204, 404]).toContain(answer.status);
}

function connectionOf(connector: ProgramClient) {
  return connector.read('/api/v1/erp-connection', connectionSchema);
}
