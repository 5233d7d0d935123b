import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runExportJobsTask } from '../../../../src/connector/exports/exports.tasks.js';
import { handler } from '../../../../src/connector/tasks/task-definition.js';
import { TaskQueue } from '../../../../src/connector/tasks/task-queue.js';
import { createLogger } from '../../../../src/foundation/logging/logger.js';
import { ExportsHarness, purchases, type Tenant } from './exports-harness.js';

const JOBS_OF_A_LARGE_ONE = 10;

let exports: ExportsHarness;
let queue: TaskQueue;

beforeAll(async () => {
  exports = await ExportsHarness.start();
  const { user = '', password, host, port, database = '' } = exports.admin;
  queue = await TaskQueue.start({
    url: `postgres://${user}:${String(password)}@${host}:${port.toString()}/${database}`,
    kinds: [runExportJobsTask.kind],
    supervise: true,
    logger: createLogger('fairness-test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }),
  });
});
afterAll(async () => {
  await queue.stop();
  await exports.close();
});

it('four tenants with many jobs each hold every place of a worker; a fifth comes after one job of theirs', async () => {
  const large = await Promise.all(
    Array.from({ length: runExportJobsTask.concurrency }, () => exports.addTenant()),
  );
  const small = await exports.addTenant();
  for (let count = 0; count < JOBS_OF_A_LARGE_ONE; count += 1) {
    await Promise.all(large.map((tenant) => addJob(tenant)));
  }
  const allHeld = Promise.withResolvers<undefined>();
  const mayGoOn = Promise.withResolvers<undefined>();
  exports.erp.onPost = async () => {
    if (exports.erp.posts.length === large.length) {
      allHeld.resolve(undefined);
    }
    await mayGoOn.promise;
  };
  await exports.service.sweep();
  await queue.work([
    handler(runExportJobsTask, ({ installationId, companyId }, signal) =>
      exports.work({ installationId, companyId }, signal),
    ),
  ]);
  await allHeld.promise;
  const late = await addJob(small);
  await exports.service.sweep();
  // No company has two places, whatever it has to do.
  expect(exports.erp.posts).toHaveLength(large.length);
  mayGoOn.resolve(undefined);
  const all = large.length * JOBS_OF_A_LARGE_ONE + 1;
  while ((await finishedJobs()) < all) {
    await exports.service.sweep();
  }
  const place = exports.erp.posts.findIndex(([key = '']) => late.statuses.has(key));
  expect(place).toBeGreaterThanOrEqual(large.length);
  expect(place).toBeLessThan(3 * large.length);
});

async function addJob(tenant: Tenant) {
  return exports.addJob(tenant, purchases(tenant.companyId, 1));
}

async function finishedJobs(): Promise<number> {
  const { rows } = await exports.admin.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM export_job WHERE state = 'completed'`,
  );
  return rows[0]?.count ?? 0;
}
