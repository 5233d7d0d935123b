// The process that `reconciling.mjs` measures: one run over a history, between a platform and an ERP that make up their
// answers from the numbers of jobs and entries. Prints its figures as one line of JSON.
import 'reflect-metadata';
import { Buffer } from 'node:buffer';
import { NestFactory } from '@nestjs/core';
import { companyData } from '../build/connector/bookkeeping/item/planning.fixtures.js';
import { loadConnectorConfig } from '../build/connector/connector-config.js';
import { CoreModule } from '../build/connector/core.module.js';
import { ErpLedger } from '../build/connector/erp/erp-ledger.js';
import { CredentialRepository } from '../build/connector/installations/credentials/credential.repository.js';
import { PlatformApi } from '../build/connector/platform/platform-api.js';
import { PlatformHttp } from '../build/connector/platform/platform-http.js';
import { ReconciliationModule } from '../build/connector/reconciliation/reconciliation.module.js';
import { ProcessDueReconciliations } from '../build/connector/reconciliation/process-due-reconciliations.js';
import { ReconciliationReader } from '../build/connector/reconciliation/reconciliation.reader.js';
import { RequestReconciliation } from '../build/connector/reconciliation/request-reconciliation.js';
import { SystemClock } from '../build/foundation/clock/system-clock.js';
import { TenantDatabase } from '../build/foundation/database/tenant-database.js';
import { createLogger } from '../build/foundation/logging/logger.js';

const PAGE = 100;
const LISTED = 1_000;
const { url, installationId, companyId, items, itemsInAJob } = JSON.parse(process.argv[2]);
const period = { from: new Date('2026-03-01T00:00:00Z'), until: new Date('2026-04-01T00:00:00Z') };
const requests = { platform: 0, erp: 0 };

const PREFIX = '00000000-0000-4000-8000-';
const uuidOf = (number) => `${PREFIX}${number.toString(16).padStart(12, '0')}`;
const numberOf = (uuid) => Number.parseInt(uuid.slice(PREFIX.length), 16);

/** What the platform says to a request. */
async function answer({ path, query }) {
  requests.platform += 1;
  const json = (value) => ({ status: 200, headers: {}, text: JSON.stringify(value) });
  const first = Number(query?.get('after') ?? 0);
  const page = (count, element) => {
    const end = Math.min(first + PAGE, count);
    const data = Array.from({ length: end - first }, (_, index) => element(first + index));
    return json({ data, pagination: { hasNextPage: end < count, endCursor: String(end) } });
  };
  const job = (number) => ({
    id: uuidOf(number),
    companyId,
    status: 'completed',
    numberOfItems: itemsInAJob,
    createdAt: '2026-03-02T10:00:00Z',
    expiresIn: 3_600,
  });
  const [, , , id, part] = path.split('/');
  if (id === undefined) {
    return page(items / itemsInAJob, (index) => job(index + 1));
  }
  const number = numberOf(id);
  return part === undefined
    ? json({ data: job(number) })
    : page(itemsInAJob, (index) => {
        const item = (number - 1) * itemsInAJob + index;
        return { accountingEntryId: uuidOf(item), status: 'successful', externalId: `journal-${item}` };
      });
}

/** Has every entry as it was planned. */
class NumberedErp extends ErpLedger {
  guarantee = { level: 'permanent-key' };

  async loadMasterData() {
    return companyData;
  }

  async inspect(_company, keys) {
    requests.erp += 1;
    return new Map(keys.map((key) => [key, [groupOf(key)]]));
  }

  async listGroups(_company, _days, after) {
    requests.erp += 1;
    const first = Number(after ?? 0);
    const end = Math.min(first + LISTED, items);
    const groups = Array.from({ length: end - first }, (_, index) => listed(first + index));
    return { groups, next: end < items ? String(end) : undefined };
  }
}

function groupOf(key) {
  const item = numberOf(key);
  const amount = BigInt((item % 99_999) + 1);
  const line = (accountCode, amountMinor) => ({ accountCode, amountMinor, dimensions: {} });
  const lines = [line('5410', amount), line('1935', -amount)];
  const entry = { id: `journal-${item}`, role: 'entry', state: 'posted', postingDate: '2026-03-02' };
  return { key, revision: 1, contentDigest: 'digest', entries: [{ ...entry, currency: 'EUR', lines }] };
}

function listed(item) {
  const key = uuidOf(item);
  const where = { standing: true, accountingEntryId: key, installationId };
  return { key, revision: 1, ...where, postingDate: '2026-03-02', amountMinor: 1n, currency: 'EUR' };
}

const config = loadConnectorConfig({
  DATABASE_URL: url,
  LOG_LEVEL: 'error',
  CREDENTIAL_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
});
const clock = new SystemClock();
const budget = { acquire: () => Promise.resolve(), pause: () => Promise.resolve() };
const platform = new PlatformApi(new PlatformHttp({ send: answer }, clock, budget));
const program = { config, logger: createLogger('bench', config.logging), role: 'api' };
const core = CoreModule.register(program, [
  { provide: PlatformApi, useFactory: () => platform },
  { provide: ErpLedger, useFactory: () => new NumberedErp() },
]);
class BenchModule {}
const app = await NestFactory.createApplicationContext(
  { module: BenchModule, imports: [core, ReconciliationModule] },
  { logger: ['error'] },
);
const tokens = { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 86_400 };
await app
  .get(TenantDatabase)
  .inInstallation('store credential', installationId, (tx) =>
    app.get(CredentialRepository).replace(tx, installationId, tokens),
  );
const get = (type) => app.get(type, { strict: false });
const start = performance.now();
await get(RequestReconciliation).request(installationId, { period });
await get(ProcessDueReconciliations).processDue(installationId, new globalThis.AbortController().signal);
const seconds = (performance.now() - start) / 1_000;
const [run] = await get(ReconciliationReader).listRuns(installationId, undefined, 1);
const figures = {
  seconds,
  peakMb: process.resourceUsage().maxRSS / 1_024,
  platformRequests: requests.platform,
  erpRequests: requests.erp,
  items: Number(run.items),
  differences: run.differences,
  state: run.state,
};
await app.close();
console.log(JSON.stringify(figures));
process.exit(0);
