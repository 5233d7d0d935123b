// What becomes of a job with an item that ends each worker, and of the items and companies beside it.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SplitIntoSteps } from '../../../../src/connector/exports/items/split-into-steps.js';
import { RecordResults } from '../../../../src/connector/exports/reporting/record-results.js';
import type { FetchedItem } from '../../../../src/connector/platform/platform-api.js';
import { startedOnce } from '../../../support/started-once.js';
import { UNREACHABLE } from '../../../support/fake-erp.js';
import { ExportsHarness, purchases, type Tenant } from './exports-harness.js';
import { letOthersWork } from './stage-gates.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;
let isDead = false;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});
afterEach(() => {
  isDead = false;
  jest.restoreAllMocks();
});

/** What a dead worker has in hand has no effect any more: it reaches the database no longer, not even to release its company. */
function die(): never {
  isDead = true;
  throw new Error('killed');
}

/** Works as one worker after the other, each once the lease of the one before has expired. @returns how many have died */
async function workUntilOneSurvives(): Promise<number> {
  for (const method of ['inInstallation', 'byKeys', 'readOnce', 'writeOnce', 'readOnceAcross'] as const) {
    const reach = exports.database[method].bind(exports.database) as (...what: unknown[]) => Promise<unknown>;
    const reachAlive = (...what: unknown[]) => (isDead ? Promise.reject(new Error('killed')) : reach(...what));
    jest.spyOn(exports.database, method).mockImplementation(reachAlive);
  }
  for (let deaths = 0; deaths < 30; deaths += 1) {
    if (!(await isKilledAtWork())) {
      return deaths;
    }
    await exports.expireLease(tenant);
  }
  throw new Error('each worker dies');
}

async function isKilledAtWork(): Promise<boolean> {
  try {
    await exports.processQueue(tenant);
  } catch (error) {
    if (!isDead) {
      throw error;
    }
  }
  const wasKilled = isDead;
  isDead = false;
  return wasKilled;
}

/** Kills the worker that plans the item, as long as `mayKill` allows. */
function killsInPlanning(item: FetchedItem | undefined, mayKill: () => boolean): void {
  if (item === undefined || !('item' in item)) {
    throw new Error('no item');
  }
  Object.defineProperty(item.item, 'note', { get: () => (!isDead && mayKill() ? die() : '') });
}

const idsOf = (items: readonly FetchedItem[]) => items.map(({ accountingEntryId }) => accountingEntryId);
const posted = () => exports.erp.posts.flat().toSorted();

async function leaseRow({ installationId }: Tenant): Promise<unknown> {
  const { rows } = await exports.admin.query(
    `SELECT takeovers, suspect, suspect_begun AS begun, suspect_deaths AS deaths FROM company_lease WHERE installation_id = $1`,
    [installationId],
  );
  return rows[0];
}

const NOTHING_HELD_AGAINST = { takeovers: 0, suspect: null, begun: false, deaths: 0 };

/** As many workers die, whatever they did. */
async function loseWorkers(owner: Tenant, count: number): Promise<void> {
  for (let lost = 0; lost < count; lost += 1) {
    await exports.claimOrFail(owner);
    await exports.expireLease(owner);
  }
}

describe('an item that kills each worker that plans it', () => {
  it.each([0, 7, 11])('at place %d is put aside, and all others are exported once [H18]', async (place) => {
    const items = purchases(tenant.companyId, 12);
    const poison = items[place];
    killsInPlanning(poison, () => true);
    const job = await exports.addJob(tenant, items);
    expect(await workUntilOneSurvives()).toBe(6);
    const others = idsOf(items.filter((item) => item !== poison));
    expect(posted()).toEqual(others.toSorted());
    expect(others.map((id) => job.results.get(id)?.status)).toEqual(Array(11).fill('successful'));
    expect(job.results.get(poison?.accountingEntryId ?? '')).toMatchObject({
      status: 'failed',
      failureReasonType: 'unexpected_failure',
      failureReason: expect.stringMatching(/stopped each time it worked on this entry.*contact support/),
    });
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed_with_errors' }]);
    expect(await leaseRow(tenant)).toEqual(NOTHING_HELD_AGAINST);
  });

  it('and another one behind many are both put aside [H18]', async () => {
    const items = purchases(tenant.companyId, 180);
    const poisons = [items[3], items[170]];
    poisons.forEach((item) => {
      killsInPlanning(item, () => true);
    });
    const job = await exports.addJob(tenant, items);
    // The second one kills a worker in a step of fifty, then two that work on it alone.
    expect(await workUntilOneSurvives()).toBe(9);
    expect(posted()).toEqual(idsOf(items.filter((item) => !poisons.includes(item))).toSorted());
    expect(poisons.map((item) => job.statuses.get(item?.accountingEntryId ?? ''))).toEqual(['failed', 'failed']);
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });

  it('and is the only one is put aside earlier, and the job fails with its reason', async () => {
    const [poison] = purchases(tenant.companyId, 1);
    killsInPlanning(poison, () => true);
    const job = await exports.addJob(tenant, poison === undefined ? [] : [poison]);
    expect(await workUntilOneSurvives()).toBe(4);
    expect(job.events.at(-1)).toMatchObject({ event: 'failed', failureReason: expect.stringContaining('put aside') });
  });
});

describe('an item that kills each worker', () => {
  it('when its content is stored, after it was posted, is reported as posted', async () => {
    const items = purchases(tenant.companyId, 12);
    const poison = items[7]?.accountingEntryId;
    const recordResults = exports.get(RecordResults);
    const record = recordResults.record.bind(recordResults);
    jest.spyOn(recordResults, 'record').mockImplementation(async (...what) => {
      const contents = what[4] ?? [];
      return contents.some((entry) => 'item' in entry && entry.accountingEntryId === poison) ? die() : record(...what);
    });
    const job = await exports.addJob(tenant, items);
    expect(await workUntilOneSurvives()).toBe(6);
    expect(posted()).toEqual(idsOf(items).toSorted());
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });

  it('even when it is looked up, is put aside unconfirmed [H7]', async () => {
    const items = purchases(tenant.companyId, 12);
    const poison = items[7]?.accountingEntryId ?? '';
    exports.erp.onPost = (groups) => {
      return groups.some(({ key }) => key === poison) ? Promise.resolve().then(die) : Promise.resolve();
    };
    const find = exports.erp.findPosted.bind(exports.erp);
    jest.spyOn(exports.erp, 'findPosted').mockImplementation(async (...what) => {
      return what[1].includes(poison) ? die() : find(...what);
    });
    const job = await exports.addJob(tenant, items);
    expect(await workUntilOneSurvives()).toBe(8);
    expect(job.results.get(poison)).toMatchObject({
      status: 'failed',
      failureReasonType: 'accounting_system_timeout',
      failureReason: expect.stringContaining('put aside'),
    });
    expect([...job.statuses.values()].filter((status) => status === 'successful')).toHaveLength(11);
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });
});

describe('no item is put aside', () => {
  it('by workers that die at another item each time', async () => {
    const items = purchases(tenant.companyId, 12);
    items.forEach((item) => {
      let kills = 1;
      killsInPlanning(item, () => (kills -= 1) === 0);
    });
    const job = await exports.addJob(tenant, items);
    expect(await workUntilOneSurvives()).toBe(12);
    expect(posted()).toEqual(idsOf(items).toSorted());
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });

  it('by workers that die before they begin it', async () => {
    const items = purchases(tenant.companyId, 3);
    let hasKilled = false;
    killsInPlanning(items[0], () => !hasKilled && (hasKilled = true));
    let later = 3;
    exports.platform.before = () => {
      if (hasKilled && !isDead && later > 0) {
        later -= 1;
        die();
      }
    };
    const job = await exports.addJob(tenant, items);
    await loseWorkers(tenant, 4);
    expect(await workUntilOneSurvives()).toBe(4);
    expect(posted()).toEqual(idsOf(items).toSorted());
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
  });

  it('for deaths before a run that ended by itself', async () => {
    const items = purchases(tenant.companyId, 3);
    let kills = 1;
    killsInPlanning(items[0], () => (kills -= 1) === 0);
    exports.erp.onPost = () => {
      exports.erp.failure = UNREACHABLE;
      return Promise.resolve();
    };
    const job = await exports.addJob(tenant, items);
    await loseWorkers(tenant, 4);
    expect(await workUntilOneSurvives()).toBe(1);
    expect(await exports.stateOf(job)).toBe('running');
    expect(await leaseRow(tenant)).toEqual(NOTHING_HELD_AGAINST);
  });
});

describe('careful steps', () => {
  const steps = (run: Tenant, items: readonly FetchedItem[], signal = new AbortController().signal) => {
    const pages = (async function* () {
      await Promise.resolve();
      yield items;
    })();
    return exports.claimOrFail(run).then((lease) => exports.get(SplitIntoSteps).split({ lease, signal }, pages));
  };

  it('of the companies of a process wait for each other, so that one death counts for one item', async () => {
    const other = await exports.addTenant();
    await loseWorkers(tenant, 4);
    await loseWorkers(other, 4);
    const [mine, theirs] = [purchases(tenant.companyId, 2), purchases(other.companyId, 2)];
    const [here, there] = [await steps(tenant, mine), await steps(other, theirs)];
    expect((await here.next()).value).toEqual([mine[0]]);
    const waiting = there.next();
    await letOthersWork(exports);
    expect(await leaseRow(other)).toMatchObject({ begun: false });
    const next = here.next();
    expect((await waiting).value).toEqual([theirs[0]]);
    await there.return();
    expect((await next).value).toEqual([mine[1]]);
    expect(await leaseRow(tenant)).toMatchObject({ suspect: mine[1]?.accountingEntryId, begun: true, deaths: 0 });
    expect((await here.next()).done).toBe(true);
    expect(await leaseRow(tenant)).toMatchObject({ suspect: null, begun: false });
  });

  it('end their wait with the run, and let those behind them pass', async () => {
    const others = [await exports.addTenant(), await exports.addTenant()] as const;
    for (const each of [tenant, ...others]) {
      await loseWorkers(each, 4);
    }
    const ended = new AbortController();
    const here = await steps(tenant, purchases(tenant.companyId, 1));
    const leaving = await steps(others[0], purchases(others[0].companyId, 1), ended.signal);
    const behind = await steps(others[1], purchases(others[1].companyId, 1));
    await here.next();
    const [left, waiting] = [leaving.next(), behind.next()];
    ended.abort(new Error('the run has to end'));
    await expect(left).rejects.toThrow('the run has to end');
    await here.return();
    expect((await waiting).done).toBe(false);
    await behind.return();
  });
});
