// One row of everything that an installation can have, so that what one may not see of another is really there.
import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type pg from 'pg';
import { CredentialRepository } from '../../../../src/connector/installations/credentials/credential.repository.js';
import { ErpConnectionRepository } from '../../../../src/connector/erp-connections/erp-connection.repository.js';
import { SubscriptionRepository } from '../../../../src/connector/installations/subscription/subscription.repository.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import type { InstallationId } from '../../../../src/kernel/ids.js';
import type { ReviewTenant, ReviewHarness } from '../review/review-harness.js';
import { connectionRows, mappingRows, peopleRows } from './basic-rows.js';
import { exportRows, reconciliationRows, referenceRows, reviewRows } from './business-rows.js';
import type { SeededIds, Row } from './seeded-rows.js';

let seededCount = 0;
const times = new Map<string, number>();

/** Fills an installation; the second time with another one of everything that there can be two of. */
export async function seedTenant(harness: ReviewHarness, office: ReviewTenant): Promise<SeededIds> {
  const { installationId, companyId } = office;
  const { admin: owner } = harness;
  seededCount += 1;
  const ids: SeededIds = {
    exportJobId: randomUUID(),
    accountingEntryId: randomUUID(),
    uncertainEntryId: randomUUID(),
    issueKey: `account:9${seededCount.toString().padStart(4, '0')}`,
    reexportId: randomUUID(),
    previewId: randomUUID(),
    ruleId: (1_000 + seededCount).toString(),
    mappingVersion: (100 + seededCount).toString(),
    syncRunId: randomUUID(),
    vendorId: randomUUID(),
    discrepancyId: randomUUID(),
    notificationId: `accepted.msg_${seededCount.toString()}`,
    quarantinedId: randomUUID(),
    memberId: randomUUID(),
    apiTokenId: randomUUID(),
  };
  const nth = times.get(installationId) ?? 0;
  times.set(installationId, nth + 1);
  const names = { installationId, companyId, ids, nth };
  const tables = [
    ...connectionRows(names),
    ...peopleRows(names),
    ...mappingRows(names),
    ...exportRows(names),
    ...reviewRows(names),
    ...referenceRows(names),
    ...reconciliationRows(names),
  ];
  await connect(harness.app, installationId);
  // One transaction: a mapping version takes its rules in the one that makes it.
  await owner.query('BEGIN');
  for (const [table, row] of tables) {
    await insert(owner, table, { installation_id: installationId, ...row });
  }
  await owner.query('COMMIT');
  return ids;
}

/** What is sealed has to open. */
async function connect(app: NestFastifyApplication, installationId: InstallationId): Promise<void> {
  const credentials = app.get(CredentialRepository, { strict: false });
  const erpConnections = app.get(ErpConnectionRepository, { strict: false });
  const subscriptions = app.get(SubscriptionRepository, { strict: false });
  await app.get(TenantDatabase).inInstallation('furnish', installationId, async (tx) => {
    await credentials.replace(tx, installationId, {
      accessToken: `access-${installationId}`,
      refreshToken: `refresh-${installationId}`,
      expiresInSeconds: 900,
    });
    await erpConnections.begin(tx, installationId, {
      kind: 'fake',
      system: 'fake:here',
      settings: { place: 'here' },
      secrets: { password: `password-${installationId}` },
      by: 'one of everything',
    });
    await subscriptions.reserve(tx, installationId, `endpoint-${installationId}`);
    await subscriptions.confirm(
      tx,
      installationId,
      randomUUID(),
      `whsec_${Buffer.from(`of ${installationId}`).toString('base64')}`,
    );
  });
}

async function insert(owner: pg.Client, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${(index + 1).toString()}`);
  await owner.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')}) ON CONFLICT DO NOTHING`,
    Object.values(row),
  );
}
