import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { connectCompany, createApiToken, saveSettings } from '../../src/sandbox/launch/demo/connect-company.js';
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
const balanceSchema = z.object({ entries: z.number() });

const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
const wires = [startedOnce(startWire), startedOnce(startWire)] as const;
const second = startedOnce(async () => connectSecond());
let tenants: readonly [Tenant, Tenant];

/** One customer with its own connection: what stands in `own` may pass its own wire alone. */
interface Tenant {
  readonly customer: DemoCustomer;
  readonly keyId: string;
  readonly own: readonly string[];
}

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

/** Makes a key of the company in the ledger and connects the installation with it, through the wire. */
async function giveKey(connector: ProgramClient, { company }: DemoCustomer, wire: HttpProxy) {
  const { ledger } = programs.clients;
  const path = `/companies/${company.ledgerId}/api-keys`;
  const key = ledger.parse(keySchema, await ledger.post(path, {}), path);
  programs.watch.search.learn('key of the ledger', key.apiKey);
  const settings = { url: wire.url, apiKey: key.apiKey };
  await connector.put('/api/v1/erp-connection', { json: { kind: 'ledger', settings, confirmChange: true } });
  return key;
}

async function connect(connector: ProgramClient, customer: DemoCustomer, wire: HttpProxy): Promise<Tenant> {
  const { id, apiKey } = await giveKey(connector, customer, wire);
  const { company, items } = customer;
  await connector.put('/api/v1/erp-company', { json: { erpCompanyId: company.ledgerId } });
  const { installationId } = await connector.read('/api/v1/connection', installationSchema);
  const entries = items.map(({ item }) => item.accountingEntryId);
  return { customer, keyId: id, own: [apiKey, installationId, company.ledgerId, company.id, company.name, ...entries] };
}

/** Past every wire. */
const ledgerUrl = () => programs.connectorEnvironment['LEDGER_URL'] ?? '';

const entriesOf = async ({ company }: DemoCustomer) =>
  (await programs.clients.ledger.read(`/companies/${company.ledgerId}/trial-balance`, balanceSchema)).entries;

beforeAll(async () => {
  tenants = [
    await connect(programs.clients.connector, firstCustomer, wires[0].proxy),
    await connect(second.connector, secondCustomer, wires[1].proxy),
  ];
});

describe('two installations with an ERP connection each', () => {
  it('one goes on to its end while the credentials of the other are revoked in the middle of its export', async () => {
    const { simulator, connector } = programs.clients;
    let requests = 0;
    wires[1].proxy.boundaries = {
      onRequest: async ({ method, path }) => {
        requests += method === 'POST' && path.endsWith('/posting-groups') ? 1 : 0;
        if (requests === 2) {
          await revoke(tenants[1]);
        }
        return true;
      },
    };
    await triggerExport(simulator, secondCustomer);
    await triggerExport(simulator, firstCustomer);
    expect(await programs.verdict()).toMatchObject({
      state: 'completed_with_errors',
      numberOfItems: 147,
      successful: 142,
      failed: 5,
    });
    expect(await entriesOf(firstCustomer)).toBe(155);
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
    await giveKey(second.connector, secondCustomer, wires[1].proxy);
    expect((await connectionOf(second.connector)).state).toBe('ok');
    await triggerExport(programs.clients.simulator, secondCustomer);
    let job = await waitForVerdict(second.connector, programs.clock, () => undefined);
    while (job.numberOfItems === 606) {
      job = await waitForVerdict(second.connector, programs.clock, () => undefined);
    }
    expect(job).toMatchObject({ state: 'completed', failed: 0 });
    expect(await entriesOf(secondCustomer)).toBe(606);
  });

  it('nothing of one company ever passes the wire of the other, nor postings that of the main key', () => {
    for (const [index, { passed }] of wires.entries()) {
      const others = tenants[1 - index]?.own ?? [];
      const all = passed.join('\n');
      expect(all).toContain(tenants[index]?.own[2]);
      expect(others.filter((text) => all.includes(text))).toEqual([]);
    }
    expect(programs.ledgerProxy.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

async function revoke({ customer, keyId }: Tenant): Promise<void> {
  const answer = await fetch(`${ledgerUrl()}/companies/${customer.company.ledgerId}/api-keys/${keyId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${programs.connectorEnvironment['LEDGER_API_KEY'] ?? ''}` },
  });
  // A second request may come while the first one revokes.
  expect([204, 404]).toContain(answer.status);
}

function connectionOf(connector: ProgramClient) {
  return connector.read('/api/v1/erp-connection', connectionSchema);
}
