import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { ReconciliationModule } from '../../../../src/connector/reconciliation/reconciliation.module.js';
import type { ErpCompanyId } from '../../../../src/kernel/ids.js';
import { createCompany, startLedgerServer } from '../../../contract/erp-ledger/ledger-server.js';
import { postingGroup } from '../../../../src/erp-contract/posting-group.builder.js';
import { ExportsHarness, purchase, type Tenant } from '../exports/exports-harness.js';
import { ReconciliationUseCases } from './reconciliation-use-cases.js';
import { startedOnce } from '../../../support/started-once.js';

// A company was linked to another ERP company before: what stands there under our mark and is unknown is found as well.

const NEVER = new AbortController().signal;
/** The entries are of March, the job was made in February. */
const PERIOD = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') };
/** Without the job. */
const SINCE_MARCH = { ...PERIOD, from: new Date('2026-03-01T00:00:00Z') };

const ledger = startedOnce(startLedgerServer);
const exports = startedOnce(() => ExportsHarness.start(ledger.connections, undefined, [ReconciliationModule]));
let earlier: ErpCompanyId;
let now: ErpCompanyId;
let tenant: Tenant;

beforeEach(async () => {
  [earlier, now] = [await createCompany(ledger), await createCompany(ledger)];
  tenant = await exports.addTenant({ erpCompany: earlier });
  await exports.addJob(tenant, [purchase(tenant.companyId)]);
  await exports.processQueueAgain(tenant);
  await exports.admin.query(`UPDATE installation SET erp_company_id = $2 WHERE id = $1`, [tenant.installationId, now]);
});

/** Puts an entry of ours that no record of ours has into the ERP. */
async function orphanIn(company: ErpCompanyId): Promise<string> {
  const group = postingGroup(randomUUID());
  const { installationId } = tenant;
  const outcomes = await ledger
    .erpOf(company)
    .post([{ ...group, trail: { ...group.trail, installationId } }, postingGroup(randomUUID())]);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  return group.key;
}

/** @returns ERP company and key of every discrepancy there is afterwards */
async function reconcile(period = PERIOD, progress: object = {}): Promise<readonly unknown[]> {
  const { installationId } = tenant;
  const service = new ReconciliationUseCases(exports);
  await service.request(installationId, { period });
  await exports.admin.query(
    `UPDATE reconciliation_run SET progress = $2 WHERE installation_id = $1 AND state = 'requested'`,
    [installationId, progress],
  );
  await service.processDue(installationId, NEVER);
  expect(await service.reader.listRuns(installationId, undefined, 1)).toMatchObject([{ state: 'completed' }]);
  const filter = { state: 'open', class: undefined } as const;
  const found = await service.reader.listDiscrepancies(installationId, filter, undefined, 10);
  return found.map((each) => [each.class, each.erpCompanyId, each.subject]);
}

it('both companies are searched, and only for our own entries', async () => {
  const [before, since] = [await orphanIn(earlier), await orphanIn(now)];
  const found = await reconcile();
  expect(new Set(found)).toEqual(
    new Set([
      ['orphan-entry', earlier, before],
      ['orphan-entry', now, since],
    ]),
  );
});

it('a period without jobs of a company does not search it', async () => {
  await orphanIn(earlier);
  expect(await reconcile(SINCE_MARCH)).toEqual([]);
});

it('a period without jobs of a company does not close what was found there', async () => {
  const key = await orphanIn(earlier);
  const found = [['orphan-entry', earlier, key]];
  expect(await reconcile()).toEqual(found);
  expect(await reconcile(SINCE_MARCH)).toEqual(found);
});

it('a run that had finished the first company continues with the second one', async () => {
  const [first = earlier, second = now] = [earlier, now].toSorted();
  await orphanIn(first);
  const key = await orphanIn(second);
  const progress = { jobsDone: true, platformDone: true, erpCompanyId: second };
  expect(await reconcile(PERIOD, progress)).toEqual([['orphan-entry', second, key]]);
});
