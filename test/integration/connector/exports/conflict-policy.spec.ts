import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createToken,
  startConnectorApp,
  storeInstallation,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// What administrators decide about changed entries, and what they see of the ERP's warnings.

const POLICIES = { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' };
const SETTINGS = {
  accounts: { wallets: { EUR: '1935' }, companyBankByCurrency: {}, fallbackAccounts: {} },
  policies: POLICIES,
};

const connector = startedOnce(startConnectorApp);
let installation: StoredInstallation;
let token: string;

beforeEach(async () => {
  installation = await storeInstallation(connector);
  token = await createToken(connector, installation.id, 'admin');
});

interface Sent {
  readonly token?: string;
  readonly seen?: number;
  readonly body?: object;
}

async function send(method: 'GET' | 'PUT' | 'POST', path: string, sent: Sent = {}) {
  const answer = await connector.app.inject({
    method,
    url: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${sent.token ?? token}`,
      ...(sent.seen !== undefined && { 'if-match': `"${sent.seen.toString()}"` }),
    },
    ...(sent.body !== undefined && { payload: sent.body }),
  });
  return { status: answer.statusCode, body: answer.json<object>() };
}

const save = (seen: number, policies: object) => send('PUT', '/settings', { seen, body: { ...SETTINGS, policies } });

describe('the policy for changed entries', () => {
  it('is to refuse them by default', async () => {
    expect(await save(0, POLICIES)).toMatchObject({ status: 200, body: { policies: { conflicts: 'fail' } } });
    const policies = { ...POLICIES, conflicts: 'reverse-and-repost' };
    expect(await save(1, policies)).toMatchObject({ status: 200, body: { policies } });
    expect(await send('GET', '/settings')).toMatchObject({ status: 200, body: { version: 2, policies } });
  });

  it.each(['refuse', '', null, ['fail'], 1])('cannot be %j', async (conflicts) => {
    const answer = await save(0, { ...POLICIES, conflicts });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/policies/conflicts' }] } });
  });

  it('is to refuse them in settings saved before the policy existed', async () => {
    await connector.admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, $2, 'test', now())`,
      [installation.id, JSON.stringify(SETTINGS)],
    );
    const policies = { ...POLICIES, conflicts: 'fail' };
    expect(await send('GET', '/settings')).toMatchObject({ status: 200, body: { version: 1, policies } });
  });

  it('is in the API’s documentation', async () => {
    const answer = await connector.app.inject({ method: 'GET', url: '/api/openapi.json' });
    expect(answer.json()).toMatchObject({
      components: {
        schemas: {
          PolicySettings: {
            properties: { conflicts: { enum: ['fail', 'reverse-and-repost'], default: 'fail' } },
            required: ['unknownVendor', 'closedPeriod', 'postingState'],
          },
        },
      },
    });
  });
});

it('the warnings of an item are in its job’s list of items', async () => {
  const job = randomUUID();
  const warnings = ['It replaces J-1, which was reversed.', 'Possible duplicate of J-7.'];
  await connector.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $3, 'running', 1, false, now(), now(), now(), now())`,
    [installation.id, job, installation.companyId],
  );
  await connector.admin.query(
    `INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, external_id, warnings)
     VALUES ($1, $2, $3, 1, 'successful', 'J-2', $4)`,
    [installation.id, job, randomUUID(), JSON.stringify(warnings)],
  );
  expect(await send('GET', `/jobs/${job}/items`)).toMatchObject({
    status: 200,
    body: { data: [{ warnings }] },
  });
});
