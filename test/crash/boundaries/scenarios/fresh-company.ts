import { randomUUID } from 'node:crypto';
import { Browser } from '../../../../src/sandbox/launch/demo/browser.js';
import { firstCustomer, type DemoCustomer } from '../../../../src/sandbox/launch/demo/demo-customers.js';
import { seedLedger } from '../../../../src/sandbox/launch/demo/seed-ledger.js';
import { seedPlatform } from '../../../../src/sandbox/launch/demo/seed-platform.js';
import { setUpCompany } from '../../../support/running-programs.js';
import { setBooksLevel } from '../variant.js';
import type { World } from '../world.js';
import { exportItems, outcomeOf, purchase } from './exports.js';

const TRY_AGAIN_MS = 500;
/** For so long a person tries who sees that it has not worked: a killed API takes half a minute to come back on a busy machine. */
const GIVE_UP_MS = 120_000;

/** The company's name distinguishes it from all others. */
let last = 0;

/** A company that is on the platform and in the books, with the demo's accounts, and not connected. */
export async function freshCompany({ programs, variant }: World): Promise<DemoCustomer> {
  last += 1;
  const name = `Saltholm ${last.toString()} OÜ`;
  const registrationNumber = (20_000_000 + last).toString();
  const [{ firstName, lastName }] = firstCustomer.people;
  const customer: DemoCustomer = {
    ...firstCustomer,
    company: { ...firstCustomer.company, id: randomUUID(), ledgerId: randomUUID(), name, registrationNumber },
    people: [{ id: randomUUID(), firstName, lastName, code: null }],
    // The ids of the demo's belong to its company.
    platformVendors: [],
  };
  await seedLedger(programs.clients.ledger, customer);
  await setBooksLevel(programs.clients.ledger, customer, variant);
  await seedPlatform(programs.clients.simulator, customer);
  return customer;
}

/** Connects as a person does, who begins anew where a page does not come or says that it has not worked. */
export async function consent(world: World, { company }: DemoCustomer): Promise<void> {
  const { clock, connectorProxy, apiPlatformProxy } = world.programs;
  const giveUpAt = clock.monotonicMs() + GIVE_UP_MS;
  for (;;) {
    const browser = new Browser([connectorProxy.url, apiPlatformProxy.url]);
    const end = await browse(browser, connectorProxy.url, company.id).catch((error: unknown) => String(error));
    browser.close();
    if (end === undefined) {
      return;
    }
    if (clock.monotonicMs() > giveUpAt) {
      throw new Error(`connecting: ${end}`);
    }
    await clock.sleep(TRY_AGAIN_MS);
  }
}

/** @returns what is wrong; undefined once the company is connected */
async function browse(browser: Browser, connectorUrl: string, companyId: string): Promise<string | undefined> {
  const page = await browser.open(new URL('/connect', connectorUrl));
  if (page.status !== 200) {
    return `${page.url.pathname} says ${page.status.toString()}`;
  }
  const connected = await browser.submit(page.url, { company_id: companyId, decision: 'approve' });
  const isThere = connected.status === 200 && connected.url.origin === new URL(connectorUrl).origin;
  return isThere && connected.text.includes('onnected') ? undefined : `the end says ${connected.status.toString()}`;
}

/** @returns id of the company's installation; undefined before there is one */
export async function installationOf(world: World, { company }: DemoCustomer): Promise<string | undefined> {
  const [id] = await world.texts(
    'SELECT id::text AS text FROM connector.installation WHERE platform_company_id = $1 ORDER BY generation DESC',
    [company.id],
  );
  return id;
}

/** Whether the installation is active and nothing of the connecting is left to do. */
export async function isConnected(world: World, { company }: DemoCustomer): Promise<boolean> {
  return world.finds(
    `SELECT FROM connector.installation i JOIN connector.subscription s ON s.installation_id = i.id
     WHERE i.platform_company_id = $1 AND i.state = 'active' AND s.confirmed_status = 'ACTIVE' AND NOT EXISTS (
       SELECT FROM pgboss.job WHERE data->>'installationId' = i.id::text AND name LIKE '%finish-connection%'
         AND state IN ('created', 'retry', 'active'))`,
    [company.id],
  );
}

/**
 * What remains to be done by people after a company was connected: its books and its settings.
 * @returns a token of an administrator
 */
export async function setUp(world: World, customer: DemoCustomer): Promise<string> {
  return setUpCompany(world.programs.operator, (await installationOf(world, customer)) ?? '', customer);
}

/** @returns what is wrong with an export of one item of the company */
export async function tryExport(world: World, customer: DemoCustomer): Promise<readonly string[]> {
  const { id } = customer.company;
  const installationId = await installationOf(world, customer);
  const exported = await exportItems(world, [purchase('6420', undefined, id)], {}, id);
  const outcome = await outcomeOf(world, exported, installationId);
  return [...(await world.untilQuiet(outcome)), ...(await outcome.check())];
}
