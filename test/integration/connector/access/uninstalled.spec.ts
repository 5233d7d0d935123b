import { beforeEach, expect, it } from '@jest/globals';
import { CreateApiToken } from '../../../../src/connector/access/create-api-token.js';
import { SignIn } from '../../../../src/connector/access/sign-in.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// After uninstalling no access is granted, whatever was under way (I32).

const UNINSTALL = `UPDATE installation SET state = 'uninstalled', uninstalled_at = now() WHERE id = $1`;
const PERSON = { subject: 'late', name: undefined };
const WANTED = { role: 'admin', label: 'late', days: 1 } as const;
const OPERATOR = { role: 'admin', memberId: undefined, token: undefined } as const;

const harness = startedOnce(() => ConnectHarness.start());
let id: string;

beforeEach(async () => {
  harness.platform.restore();
  id = await harness.connect(companyUrn(harness.platform.addCompany().id));
});

const signIn = () =>
  harness.connector.app
    .get(SignIn, { strict: false })
    .startSession(toInstallationId(id), PERSON, { device: 'Firefox on Linux', address: '203.0.113.7' });
const makeToken = () =>
  harness.connector.app.get(CreateApiToken, { strict: false }).createToken(toInstallationId(id), WANTED, OPERATOR);

/** Commits the uninstalling when the work waits for it. @returns what the work came to */
async function whileUninstalling<T>(work: () => Promise<T>): Promise<T> {
  await harness.admin.query('BEGIN');
  await harness.admin.query(UNINSTALL, [id]);
  const over = new AbortController();
  const result = work().finally(() => {
    over.abort();
  });
  let waiting = 0;
  while (waiting === 0 && !over.signal.aborted) {
    const { rowCount } = await harness.admin.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    waiting = rowCount ?? 0;
  }
  await harness.admin.query('COMMIT');
  return result;
}

it('a sign-in under way starts no session', async () => {
  expect(await whileUninstalling(signIn)).toEqual({ outcome: 'not-connected' });
  expect(
    await harness.row(
      'SELECT count(*)::int FROM member WHERE installation_id = $1 AND subject = $2',
      id,
      PERSON.subject,
    ),
  ).toEqual({ count: 0 });
});

it('a request under way creates no token', async () => {
  expect(await whileUninstalling(makeToken)).toEqual({ outcome: 'not-installed' });
});

it('an installation that is not uninstalled grants sessions and tokens', async () => {
  expect(await signIn()).toEqual({ outcome: 'started', id: expect.stringMatching(/^[\w-]{43}$/) });
  expect(await makeToken()).toMatchObject({ outcome: 'created' });
});

it('a remaining token is no longer valid', async () => {
  const token = await harness.token(id);
  const status = async () => (await harness.call('GET', '/api/v1/me', { token })).status;
  expect(await status()).toBe(200);
  await harness.admin.query(UNINSTALL, [id]);
  expect(await status()).toBe(401);
});

it('the operator cannot create a token for it', async () => {
  await harness.admin.query(UNINSTALL, [id]);
  const { status, json } = await harness.call('POST', `/api/v1/operator/installations/${id}/api-tokens`, {
    token: OPERATOR_TOKEN,
    body: { role: 'admin', label: 'late' },
  });
  expect([status, at(json, 'type')]).toEqual([404, 'urn:problem:not-found']);
});
