// From a company on the platform to an installation of the connector that can export.
import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import { Permanent } from '../../../kernel/faults.js';
import { Browser } from './browser.js';
import type { DemoCustomer } from './demo-customers.js';
import type { ProgramClient } from './program-client.js';
import { waitFor } from './wait-for.js';

const ACTIVE_WITHIN_MS = 60_000;
const TOKEN_DAYS = 1;

const installationsSchema = z.object({
  data: z.array(z.object({ id: z.string(), companyId: z.string(), state: z.string() })),
});
const connectionSchema = z.object({ kind: z.string() });
const keySchema = z.object({ apiKey: z.string() });
const stepsSchema = z.object({ steps: z.array(z.object({ step: z.string(), done: z.boolean() })) });
const tokenSchema = z.object({ token: z.string() });
const settingsSchema = z.object({ version: z.number() });

/** @returns id of the company's installation once it is active; undefined before */
export async function findActiveInstallation(
  operator: ProgramClient,
  { company }: DemoCustomer,
): Promise<string | undefined> {
  const { data } = await operator.read('/api/v1/operator/installations?limit=1000', installationsSchema);
  return data.find(({ companyId, state }) => companyId === company.id && state === 'active')?.id;
}

/**
 * Connects a company as a person in a browser would: from the connector to the platform's consent page, which is approved,
 * and back; then waits until the connector has finished in the background.
 *
 * @param operator the connector's API with the operator's token.
 * @returns id of the installation
 * @throws Permanent when a page is not the expected one or the installation does not become active; NoResponse.
 */
export async function connectCompany(
  addresses: { readonly connectorUrl: string; readonly simulatorUrl: string },
  operator: ProgramClient,
  clock: Clock,
  customer: DemoCustomer,
): Promise<string> {
  const browser = new Browser([addresses.connectorUrl, addresses.simulatorUrl]);
  try {
    const consent = await browser.open(new URL('/connect', addresses.connectorUrl));
    if (consent.status !== 200 || consent.url.origin !== new URL(addresses.simulatorUrl).origin) {
      throw new Permanent(`connecting did not reach the consent page: ${describe(consent)}`);
    }
    const connected = await browser.submit(consent.url, {
      company_id: customer.company.id,
      decision: 'approve',
    });
    if (connected.status !== 200 || connected.url.origin !== new URL(addresses.connectorUrl).origin) {
      throw new Permanent(`approving the access did not connect the company: ${describe(connected)}`);
    }
  } finally {
    browser.close();
  }
  return waitFor(clock, 'activating the installation', ACTIVE_WITHIN_MS, () =>
    findActiveInstallation(operator, customer),
  );
}

/**
 * Connects the installation to the ledger with a key that opens the customer's company alone, and links that company, as an
 * administrator would. Does nothing where an earlier run has.
 *
 * @param connector the connector's API with a token of the installation.
 * @param ledger with its main key, which makes the other.
 * @param ledgerUrl where the connector reaches the ledger.
 * @throws Permanent when a program refuses something; NoResponse.
 */
export async function connectLedger(
  connector: ProgramClient,
  ledger: ProgramClient,
  ledgerUrl: string,
  { company }: DemoCustomer,
): Promise<void> {
  if ((await connector.find('/api/v1/erp-connection', connectionSchema)) === undefined) {
    const apiKey = await createLedgerKey(ledger, company.ledgerId);
    await connector.put('/api/v1/erp-connection', { json: { kind: 'ledger', settings: { url: ledgerUrl, apiKey } } });
  }
  const { steps } = await connector.read('/api/v1/connection', stepsSchema);
  if (steps.some(({ step, done }) => step === 'erp-company' && !done)) {
    await connector.put('/api/v1/erp-company', { json: { erpCompanyId: company.ledgerId } });
  }
}

/** @returns a new key that opens one company of the ledger alone */
export async function createLedgerKey(ledger: ProgramClient, ledgerId: string): Promise<string> {
  const path = `/companies/${ledgerId}/api-keys`;
  return ledger.parse(keySchema, await ledger.post(path, {}), path).apiKey;
}

/** @returns a new API token of the installation, valid for a day; the connector shows a token only once, so each run needs its own */
export async function createApiToken(operator: ProgramClient, installationId: string): Promise<string> {
  const path = `/api/v1/operator/installations/${installationId}/api-tokens`;
  const response = await operator.post(path, { role: 'admin', label: 'demo run', days: TOKEN_DAYS });
  return operator.parse(tokenSchema, response, path).token;
}

/** Saves the customer's settings unless settings exist, which a person may have changed. */
export async function saveSettings(connector: ProgramClient, { settings }: DemoCustomer): Promise<void> {
  const saved = await connector.find('/api/v1/settings', settingsSchema);
  if (saved === undefined) {
    await connector.put('/api/v1/settings', { json: settings, headers: { 'if-match': '"0"' } });
  }
}

function describe({ url, status, text }: { url: URL; status: number; text: string }): string {
  const sentence = text
    .replace(/<(style|title)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `${url.origin}${url.pathname} responded with ${status.toString()}: ${sentence.slice(0, 300)}`;
}
