import { beforeEach, describe, expect, it } from '@jest/globals';
import { createToken, startConnectorApp, storeInstallation } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

const POLICIES = { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' };
const ACCOUNTS = { wallets: { EUR: '1935' }, companyBankByCurrency: {}, fallbackAccounts: {} };

const connector = startedOnce(startConnectorApp);
let token: string;

beforeEach(async () => {
  const installation = await storeInstallation(connector);
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

const save = (seen: number, policies: object) =>
  send('PUT', '/settings', { seen, body: { accounts: ACCOUNTS, policies } });

describe('the policy for receipts', () => {
  it('is to post without them by default', async () => {
    expect(await save(0, POLICIES)).toMatchObject({
      status: 200,
      body: { policies: { receipts: 'post-without' } },
    });
    const policies = { ...POLICIES, receipts: 'fail' };
    expect(await save(1, policies)).toMatchObject({ status: 200, body: { policies } });
    expect(await send('GET', '/settings')).toMatchObject({ status: 200, body: { version: 2, policies } });
  });

  it.each(['skip', '', null, ['fail'], 1])('cannot be %j', async (receipts) => {
    expect(await save(0, { ...POLICIES, receipts })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/policies/receipts' }] },
    });
  });
});
