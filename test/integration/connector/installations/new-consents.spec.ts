import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PlatformRegistration } from '../../../../src/connector/installations/connect/platform-registration.js';
import { CredentialRepository } from '../../../../src/connector/installations/credentials/credential.repository.js';
import { PlatformAccess } from '../../../../src/connector/installations/credentials/platform-access.js';
import { InstallationRepository } from '../../../../src/connector/installations/installation.repository.js';
import { sha256Hex } from '../../../../src/foundation/crypto/sha256.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import { respondingWith } from '../../../support/servers/misbehaving-server.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from './connect-harness.js';

// A new consent for a company that is connected, or just being uninstalled, and what else happens in that moment (I33).

/** Whether a connection waits for a row that another one has locked. */
const WAITING = `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()) AS waits`;

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let token: string;

beforeEach(async () => {
  harness.platform.restore();
  const registrationNumber = randomUUID();
  company = harness.platform.addCompany({ registrationNumber, name: `Company ${registrationNumber}` });
  harness.platform.addErpCompany(`erp-${registrationNumber}`, registrationNumber);
  id = await harness.connect(companyUrn(company.id));
  await harness.link(id, `erp-${registrationNumber}`);
  token = await harness.token(id);
});

const uninstall = () =>
  harness.call('DELETE', `/api/v1/installation?${new URLSearchParams({ companyName: company.name }).toString()}`, {
    token,
  });
const tokenOf = async (installationId: string): Promise<string> => {
  const accessToken = await harness
    .get(PlatformAccess)
    .authorizationFor(toInstallationId(installationId))
    .accessToken();
  return typeof accessToken === 'string' ? accessToken : accessToken.text;
};
/** Looks again and again, in real time, until it is so. */
const until = async (isSo: () => Promise<boolean>) => {
  while (!(await isSo())) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};
const state = async () => at(await harness.row('SELECT state FROM installation WHERE id = $1', id), 'state');
const generation = async () =>
  at(await harness.row('SELECT generation FROM installation WHERE id = $1', id), 'generation');
const links = async () =>
  at(await harness.row('SELECT count(*)::int FROM erp_company_link WHERE installation_id = $1', id), 'count');

describe('a new consent', () => {
  it.each([
    ['after an uninstall', uninstall],
    ['without an uninstall', () => Promise.resolve()],
  ])('%s, while the connection before is being completed, is completed by itself', async (_, leave) => {
    harness.platform.resource = companyUrn(company.id);
    await harness.returnFromPlatform(await harness.begin());
    const activate = jest.spyOn(harness.get(PlatformRegistration), 'activate').mockImplementationOnce(async () => {
      await leave();
      await harness.returnFromPlatform(await harness.begin());
    });
    await harness.finish(id);
    expect(activate).toHaveBeenCalledTimes(2);
    activate.mockRestore();
    expect(await state()).toBe('active');
    const { address } = (await harness.row(
      `SELECT encode(endpoint_token_hash, 'hex') AS address FROM subscription WHERE installation_id = $1`,
      id,
    )) as { address: string };
    const tokens = [...harness.platform.subscriptions.values()].map(({ endpointUrl }) => endpointUrl.split('/').at(-1));
    expect(tokens.map((each) => sha256Hex(each ?? ''))).toContain(address);
  });

  it('in the moment in which a request learns that the one before is dead does not fail, and neither does the request', async () => {
    const credentials = harness.get(CredentialRepository);
    const replace = credentials.replace.bind(credentials);
    const isHalfWay = Promise.withResolvers<undefined>();
    const replacing = jest.spyOn(credentials, 'replace').mockImplementationOnce(async (...given) => {
      isHalfWay.resolve(undefined);
      await until(async () => at(await harness.row(WAITING), 'waits') === true);
      await replace(...given);
    });
    harness.platform.resource = companyUrn(company.id);
    const consent = harness.returnFromPlatform(await harness.begin());
    await isHalfWay.promise;
    harness.platform.next('POST /oauth/token', respondingWith(400, { error: 'invalid_grant' }));
    const rejected = await tokenOf(id);
    const renewed = harness.get(PlatformAccess).authorizationFor(toInstallationId(id)).renewed(rejected);
    const ends = await Promise.allSettled([consent, renewed]);
    replacing.mockRestore();
    expect(ends).toMatchObject([
      { status: 'fulfilled', value: { status: 200 } },
      { status: 'fulfilled', value: await tokenOf(id) },
    ]);
    expect(await tokenOf(id)).not.toBe(rejected);
    expect(await state()).toBe('authorized');
  });

  it('in the moment of the uninstall keeps nothing of what is removed from the platform then', async () => {
    const address = () =>
      harness.row(
        'SELECT endpoint_token_hash, platform_subscription_id FROM subscription WHERE installation_id = $1',
        id,
      );
    const before = await address();
    harness.platform.resource = companyUrn(company.id);
    const attempt = await harness.begin();
    await harness.admin.query('BEGIN');
    await harness.admin.query(`UPDATE installation SET state = 'uninstalled', uninstalled_at = now() WHERE id = $1`, [
      id,
    ]);
    const consent = harness.returnFromPlatform(attempt);
    await until(async () => at(await harness.row(WAITING), 'waits') === true);
    await harness.admin.query('COMMIT');
    expect((await consent).status).toBe(200);
    expect([await state(), await generation()]).toEqual(['authorized', 2]);
    const after = await address();
    expect(at(after, 'platform_subscription_id')).toBeNull();
    expect(at(after, 'endpoint_token_hash')).not.toEqual(at(before, 'endpoint_token_hash'));
  });

  it('without an uninstall leaves the company of its accounting system linked as it was', async () => {
    const link = () => harness.row('SELECT * FROM erp_company_link WHERE installation_id = $1', id);
    await harness.admin.query(
      `UPDATE erp_company_link SET erp_system = 'books', erp_company_id = 'theirs ' || erp_company_id WHERE installation_id = $1`,
      [id],
    );
    const before = await link();
    await harness.connect(companyUrn(company.id));
    expect(await link()).toEqual(before);
  });

  it('that ends before the ERP company is linked again leaves nothing of itself', async () => {
    await uninstall();
    const linking = jest
      .spyOn(harness.get(InstallationRepository), 'linkErpCompany')
      .mockRejectedValueOnce(new Error('the process has ended'));
    harness.platform.resource = companyUrn(company.id);
    await harness.returnFromPlatform(await harness.begin());
    linking.mockRestore();
    // A company that is posted to without a link could be linked by another installation as well.
    expect([await state(), await links()]).toEqual(['uninstalled', 0]);
    await harness.returnFromPlatform(await harness.begin());
    expect([await state(), await links()]).toEqual(['authorized', 1]);
  });
});
