import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { LANES, type Lane } from '../../../../src/connector/exports/domain/lanes.js';
import { companyQueueTasksByLane } from '../../../../src/connector/exports/exports.tasks.js';
import { handler, type TaskHandler } from '../../../../src/connector/tasks/task-definition.js';
import { TaskQueue } from '../../../../src/connector/tasks/task-queue.js';
import { createLogger } from '../../../../src/foundation/logging/logger.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { ExportsHarness, purchases, type Tenant } from './exports-harness.js';
import { WakeDueExports } from '../../../../src/connector/exports/run/wake-due-exports.js';

const JOBS_OF_A_BUSY_ONE = 10;
/** One more than a short place takes. */
const LONG_JOB_ITEMS = 1_001;

let exports: ExportsHarness;
let queue: TaskQueue;

beforeAll(async () => {
  exports = await ExportsHarness.start();
  const { user = '', password, host, port, database = '' } = exports.admin;
  queue = await TaskQueue.start({
    url: `postgres://${user}:${String(password)}@${host}:${port.toString()}/${database}`,
    kinds: LANES.map((place) => companyQueueTasksByLane[place].kind),
    supervise: true,
    logger: createLogger('fairness-test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }),
  });
  await queue.work(LANES.map(processLane));
});
afterEach(() => {
  exports.erp.restore();
});
afterAll(async () => {
  await queue.stop();
  await exports.close();
});

it('tenants with many jobs fill the short lane, and another tenant follows after one job of theirs', async () => {
  const busy = await addTenants(companyQueueTasksByLane.short.concurrency);
  const other = await exports.addTenant();
  for (let count = 0; count < JOBS_OF_A_BUSY_ONE; count += 1) {
    await Promise.all(busy.map((tenant) => addJob(tenant, 1)));
  }
  const posting = holdPosting(busy.length);
  await exports.get(WakeDueExports).wakeIdleCompanies();
  await posting.allHeld;
  const late = await addJob(other, 1);
  await exports.get(WakeDueExports).wakeIdleCompanies();
  // No company has two places, whatever it has to do.
  expect(exports.erp.posts).toHaveLength(busy.length);
  posting.goOn();
  await untilCompleted(busy.length * JOBS_OF_A_BUSY_ONE + 1);
  const place = exports.erp.posts.findIndex(([key = '']) => late.statuses.has(key));
  expect(place).toBeGreaterThanOrEqual(busy.length);
  expect(place).toBeLessThan(3 * busy.length);
});

it('a short job gets its verdict while long jobs of other tenants fill their lane', async () => {
  const before = await completedJobs();
  const tenants = await addTenants(companyQueueTasksByLane.long.concurrency + 3);
  const other = await exports.addTenant();
  const long: FakeJob[] = [];
  for (const tenant of tenants) {
    long.push(await addJob(tenant, LONG_JOB_ITEMS));
  }
  const posting = holdPosting(companyQueueTasksByLane.long.concurrency, (keys) =>
    long.some(({ statuses }) => keys.some((key) => statuses.has(key))),
  );
  await exports.get(WakeDueExports).wakeIdleCompanies();
  await posting.allHeld;
  const short = await addJob(other, 1);
  await untilCompleted(before + 1);
  expect(await exports.stateOf(short)).toBe('completed');
  const states = await Promise.all(long.map((job) => exports.stateOf(job)));
  expect(states.toSorted()).toEqual(['detected', 'detected', 'detected', 'running', 'running']);
  posting.goOn();
  await untilCompleted(before + 1 + long.length);
});

it.each([
  [1_000, 'exports'],
  [1_001, 'long-exports'],
])('lists and results of a job of %i items use the request quota of: %s', async (items, asker) => {
  const tenant = await exports.addTenant();
  const job = await addJob(tenant, items);
  await exports.processQueue(tenant);
  expect([...new Set(exports.platform.requesters.get(job.id))]).toEqual([asker]);
});

function processLane(place: Lane): TaskHandler {
  return handler(companyQueueTasksByLane[place], ({ installationId, companyId }, signal) =>
    exports.processQueue({ installationId, companyId }, signal, place),
  );
}

async function addTenants(count: number): Promise<readonly Tenant[]> {
  return Promise.all(Array.from({ length: count }, () => exports.addTenant()));
}

async function addJob(tenant: Tenant, items: number): Promise<FakeJob> {
  return exports.addJob(tenant, purchases(tenant.companyId, items));
}

/**
 * Lets no call to post end before `goOn`.
 * @param count of calls after which `allHeld` is true
 * @param isHeld which calls wait, by the keys they post
 */
function holdPosting(count: number, isHeld: (keys: readonly string[]) => boolean = () => true) {
  const allHeld = Promise.withResolvers<undefined>();
  const goesOn = Promise.withResolvers<undefined>();
  let held = 0;
  exports.erp.onPost = async (groups) => {
    if (!isHeld(groups.map(({ key }) => key))) {
      return;
    }
    held += 1;
    if (held === count) {
      allHeld.resolve(undefined);
    }
    await goesOn.promise;
  };
  return {
    allHeld: allHeld.promise,
    goOn: () => {
      goesOn.resolve(undefined);
    },
  };
}

async function untilCompleted(count: number): Promise<void> {
  while ((await completedJobs()) < count) {
    await exports.get(WakeDueExports).wakeIdleCompanies();
  }
}

async function completedJobs(): Promise<number> {
  const { rows } = await exports.admin.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM export_job WHERE state = 'completed'`,
  );
  return rows[0]?.count ?? 0;
}
