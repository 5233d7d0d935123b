import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PlatformAccess } from '../../../../src/connector/installations/credentials/platform-access.js';
import { sql } from '../../../../src/foundation/database/sql.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { EXPORTED_TABLES, tablePage } from '../../../../src/connector/installations/uninstall/exported-tables.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness } from './connect-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// The data export, for an administrator and, after uninstalling, for the operator (S63).

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;
let token: string;

beforeEach(async () => {
  harness.platform.restore();
  company = harness.platform.addCompany({ name: `Company ${randomUUID()}` });
  id = await harness.connect(companyUrn(company.id));
  token = await harness.token(id);
  await harness.admin.query(
    `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, '{"kept": true}', 'me', now())`,
    [id],
  );
});

const tokenOf = async (installationId: string): Promise<string> => {
  const authorization = harness.get(PlatformAccess).authorizationFor(toInstallationId(installationId));
  const own = await authorization.accessToken();
  return typeof own === 'string' ? own : own.text;
};

describe('the data export', () => {
  it('is one JSON document of this installation, without a secret', async () => {
    const secrets = [...harness.platform.subscriptions.values()].map(({ secret }) => secret);
    const other = await harness.connect(companyUrn(harness.platform.addCompany().id));
    const password = 'a-password-of-the-accounting-system';
    const settings = { url: harness.platform.url, apiKey: password };
    const connected = await harness.call('PUT', '/api/v1/erp-connection', {
      token,
      body: { kind: 'ledger', settings },
    });
    expect(connected.status).toBe(200);
    const access = await tokenOf(id);
    const answer = await harness.call('GET', '/api/v1/installation/export', { token });
    expect([answer.status, answer.headers['content-disposition'], answer.headers['cache-control']]).toEqual([
      200,
      'attachment; filename="installation.json"',
      'no-store',
    ]);
    expect(at(answer.json, 'tables')).toMatchObject({
      installation: [{ id, company_name: company.name }],
      mapping_version: [{ version: 1, settings: { kept: true } }],
      export_job: [],
      erp_connection: [{ generation: 1, kind: 'ledger', settings: { url: harness.platform.url } }],
    });
    expect(answer.text).not.toContain(other);
    for (const secret of [...secrets, access, token, password]) {
      expect(answer.text).not.toContain(secret);
    }
    expect(answer.text).not.toMatch(/v[12]\.[\w-]+\.[\w-]{20,}/);
  });

  it('contains all rows of large tables', async () => {
    await harness.admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at)
       SELECT $1, n, '{}', 'me', now() FROM generate_series(2, 1201) n`,
      [id],
    );
    const { json } = await harness.call('GET', '/api/v1/installation/export', { token });
    const versions = at(json, 'tables', 'mapping_version') as readonly { version: number }[];
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 1201 }, (_, index) => index + 1));
  });

  it.each(Object.entries(EXPORTED_TABLES))('reads each page of %s from the index of its key', async (_, table) => {
    const sample: Readonly<Record<string, string>> = { uuid: randomUUID(), text: 'a', timestamptz: '2026-01-01' };
    const after = table.key.map(([, type]) => sample[type.text] ?? '1');
    const page = tablePage(table, after);
    const plan = await harness.get(TenantDatabase).inInstallation('explain', toInstallationId(id), async (tx) => {
      // An empty table is read as a whole otherwise.
      await tx.execute(sql`SET LOCAL enable_seqscan = off`);
      await tx.execute(sql`SET LOCAL enable_bitmapscan = off`);
      return tx.rows<{ 'QUERY PLAN': string }>({ ...page, text: `EXPLAIN ${page.text}` });
    });
    const steps = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(steps).toContain('Index');
    expect(steps).not.toMatch(/Sort/);
  });

  it('is available to the operator after uninstalling, when no token of the installation is valid', async () => {
    const name = new URLSearchParams({ companyName: company.name }).toString();
    await harness.call('DELETE', `/api/v1/installation?${name}`, { token });
    const path = `/api/v1/operator/installations/${id}/export`;
    const answer = await harness.call('GET', path, { token: OPERATOR_TOKEN });
    expect(at(answer.json, 'tables', 'mapping_version')).toHaveLength(1);
    const unknown = await harness.call('GET', path.replace(id, randomUUID()), { token: OPERATOR_TOKEN });
    expect([unknown.status, (await harness.call('GET', path, { token })).status]).toEqual([404, 401]);
  });

  it.each(['viewer', 'bookkeeper'] as const)('is not accessible to the role %s', async (role) => {
    const caller = await harness.token(id, role);
    expect((await harness.call('GET', '/api/v1/installation/export', { token: caller })).status).toBe(403);
  });
});
