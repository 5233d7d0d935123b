import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import type { PlatformCompanyData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness } from './connect-harness.js';
import { SyncUseCases } from '../reference-data/sync-use-cases.js';
import { startedOnce } from '../../../support/started-once.js';

// A new connection synchronizes the reference data once.

const harness = startedOnce(() => ConnectHarness.start());
let referenceData: SyncUseCases;
let company: PlatformCompanyData;
let id: string;

beforeAll(() => {
  referenceData = new SyncUseCases(harness.connector.app);
});
beforeEach(async () => {
  harness.platform.restore();
  const registrationNumber = randomUUID();
  company = harness.platform.addCompany({ registrationNumber, name: `Company ${registrationNumber}` });
  harness.platform.addErpCompany(`erp-${registrationNumber}`, registrationNumber);
  id = await harness.connect(companyUrn(company.id));
  await harness.link(id, `erp-${registrationNumber}`);
});

describe('the first synchronization of reference data', () => {
  it('is requested at once, each time the company is connected', async () => {
    const runs = async () => {
      await referenceData.wakeSyncs.requestAndWake();
      const { rows } = await harness.admin.query<{ kind: string; reason: string }>(
        'SELECT kind, reason FROM sync_run WHERE installation_id = $1 ORDER BY position',
        [id],
      );
      return rows.map(({ kind, reason }) => `${kind} ${reason}`);
    };
    const first = ['tax-codes connected', 'accounts connected', 'tags connected', 'vendors connected'];
    expect(await runs()).toEqual(first);
    expect(await runs()).toEqual(first);
    await harness.admin.query(
      `UPDATE sync_run SET state = 'completed', finished_at = now() WHERE installation_id = $1`,
      [id],
    );
    const query = new URLSearchParams({ companyName: company.name }).toString();
    await harness.call('DELETE', `/api/v1/installation?${query}`, { token: await harness.token(id) });
    expect(await runs()).toEqual(first);
    expect(await harness.connect(companyUrn(company.id))).toBe(id);
    expect(await runs()).toEqual([...first, ...first]);
  });

  it('waits for the link of an ERP company, and is due again with another one', async () => {
    const [unlinked, other] = [randomUUID(), randomUUID()];
    const added = harness.platform.addCompany({ registrationNumber: unlinked, name: `Company ${unlinked}` });
    harness.platform.addErpCompany(`erp-${unlinked}`, unlinked);
    harness.platform.addErpCompany(`erp-${other}`, other);
    const installationId = await harness.connect(companyUrn(added.id));
    const requested = async () => {
      await referenceData.wakeSyncs.requestAndWake();
      const { rows } = await harness.admin.query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM sync_run WHERE installation_id = $1',
        [installationId],
      );
      await harness.admin.query(
        `UPDATE sync_run SET state = 'completed', finished_at = now() WHERE installation_id = $1`,
        [installationId],
      );
      return rows[0]?.count;
    };
    expect(await requested()).toBe(0);
    await harness.link(installationId, `erp-${unlinked}`);
    expect(await requested()).toBe(4);
    expect(await requested()).toBe(4);
    await harness.link(installationId, `erp-${other}`);
    expect(await requested()).toBe(8);
  });

  it('is the last step of connecting, each time', async () => {
    const finishRuns = (states: string, failure: string | null = null) =>
      harness.admin.query(
        `UPDATE sync_run SET state = $2, finished_at = now(), failure = $3
         WHERE installation_id = $1 AND state = 'requested'`,
        [id, states, failure],
      );
    const step = async () => {
      const connection = (await harness.call('GET', '/api/v1/connection', { token: await harness.token(id, 'viewer') }))
        .json;
      const last = (at(connection, 'steps') as readonly object[]).at(-1);
      return [at(connection, 'next'), at(last, 'step'), at(last, 'done'), at(last, 'detail')];
    };
    const open = (detail: string) => ['reference-data', 'reference-data', false, expect.stringContaining(detail)];
    const closed = [null, 'reference-data', true, expect.stringContaining('are synchronized')];
    expect(await step()).toEqual(open('is synchronizing accounts'));
    await referenceData.requestScheduledSyncs.requestIfDue(toInstallationId(id));
    expect(await step()).toEqual(open('is synchronizing accounts'));
    await finishRuns('failed', 'Link a company.');
    expect(await step()).toEqual(open('Link a company.'));
    await referenceData.startSyncs.startForPerson(toInstallationId(id), ['tax-codes', 'accounts', 'tags']);
    await finishRuns('completed');
    expect(await step()).toEqual(open('Link a company.'));
    await referenceData.startSyncs.startForPerson(toInstallationId(id), ['vendors'], { isPreview: true });
    await finishRuns('completed');
    expect(await step()).toEqual(open('Link a company.'));
    await referenceData.startSyncs.startForPerson(toInstallationId(id), ['vendors']);
    await finishRuns('completed_with_problems');
    expect(await step()).toEqual(closed);
    // What comes later, day by day, is no step of connecting.
    await referenceData.startSyncs.startForPerson(toInstallationId(id), ['vendors']);
    await finishRuns('failed', 'Away.');
    await referenceData.startSyncs.startForPerson(toInstallationId(id), ['vendors']);
    expect(await step()).toEqual(closed);
    // An unstarted run of the connection before is the first one of this.
    await harness.connect(companyUrn(company.id));
    await referenceData.requestScheduledSyncs.requestIfDue(toInstallationId(id));
    await harness.admin.query(
      `UPDATE sync_run SET state = 'completed', finished_at = now()
       WHERE installation_id = $1 AND state = 'requested' AND kind <> 'vendors'`,
      [id],
    );
    expect(await step()).toEqual(open('is synchronizing accounts'));
    await finishRuns('completed');
    expect(await step()).toEqual(closed);
  });
});
