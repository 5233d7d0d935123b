// What becomes of an export when the platform says less than it knows, takes not every result, or lets us in no longer.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  AuthorizationLost,
  InvalidPlatformResponse,
  PlatformRefusal,
} from '../../../../src/connector/platform/platform-error.js';
import { DetectExportJobs } from '../../../../src/connector/exports/run/detect-export-jobs.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { ExportsHarness, purchase, purchases, type Tenant } from './exports-harness.js';
import { CHUNKS_AHEAD, letOthersWork } from './stage-gates.js';
import { startedOnce } from '../../../support/started-once.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const idsOf = (job: FakeJob) => [...job.statuses.keys()];
const calls = (kind: string) => exports.platform.calls.filter((call) => call === kind).length;

describe('a list of items that is shorter than the platform’s own count', () => {
  /** @param times how often the list ends early before it is whole */
  function listShort(listed: number, times: number): void {
    const whole = exports.platform.jobItemPages.bind(exports.platform);
    let readings = 0;
    jest.spyOn(exports.platform, 'jobItemPages').mockImplementation(async function* (auth, jobId) {
      readings += 1;
      for await (const page of whole(auth, jobId)) {
        yield readings <= times ? page.slice(0, listed) : page;
      }
    });
  }

  it('is read once more', async () => {
    const items = purchases(tenant.companyId, 20);
    const job = await exports.addJob(tenant, items, { status: 'in_progress' });
    listShort(15, 1);
    await exports.processQueue(tenant);
    expect(calls('job-items')).toBe(2);
    expect(exports.erp.posts.flat().toSorted()).toEqual(idsOf(job).toSorted());
    expect(job.events).toEqual([{ event: 'completed' }]);
  });

  it('twice is exported as listed, and the verdict reports the shortage', async () => {
    const items = purchases(tenant.companyId, 20);
    const job = await exports.addJob(tenant, items, { status: 'in_progress' });
    listShort(15, 9);
    await exports.processQueue(tenant);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job).slice(0, 15));
    expect(job.events).toEqual([{ event: 'completed_with_errors' }]);
  });

  it('is read once when it is complete', async () => {
    await exports.addJob(tenant, purchases(tenant.companyId, 20), { status: 'in_progress' });
    await exports.processQueue(tenant);
    expect(calls('job-items')).toBe(1);
  });

  it('is not read in the first run of a job whose data is complete', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 20));
    await exports.processQueue(tenant);
    expect(calls('job-items')).toBe(0);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });

  it('is read when the data is incomplete: items without data fail with that reason', async () => {
    const items = purchases(tenant.companyId, 20);
    const job = await exports.addJob(tenant, items, { data: items.slice(0, 15) });
    await exports.processQueue(tenant);
    expect(calls('job-items')).toBe(1);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job).slice(0, 15));
    expect([...job.statuses.values()].slice(15)).toEqual(Array(5).fill('failed'));
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed_with_errors' }]);
  });
});

describe('a list of open jobs in which one cannot be read', () => {
  it('is exported but for that one', async () => {
    const [first, bad, last] = [1, 2, 3].map(() =>
      exports.platform.addJob(tenant.companyId, purchases(tenant.companyId, 1)),
    );
    exports.platform.unreadable.set(bad?.id ?? '', { id: bad?.id, unreadable: 'expiresIn: expected an integer' });
    expect(await exports.get(DetectExportJobs).detect(tenant.installationId)).toBe(2);
    await exports.processQueue(tenant);
    const completed = [{ event: 'started' }, { event: 'completed' }];
    expect([first, bad, last].map((job) => job?.events)).toEqual([completed, [], completed]);
  });
});

describe('an item that causes an error in our planning', () => {
  it('fails alone, with a contact in the reason', async () => {
    const [first, poison, last] = purchases(tenant.companyId, 3);
    if (first === undefined || poison === undefined || last === undefined || !('item' in poison)) {
      throw new Error('no items');
    }
    Object.defineProperty(poison.item, 'note', {
      get: () => {
        throw new TypeError('a mistake of ours');
      },
    });
    const job = await exports.addJob(tenant, [first, poison, last]);
    await exports.processQueue(tenant);
    expect(exports.erp.posts).toEqual([[first.accountingEntryId, last.accountingEntryId]]);
    expect(job.results.get(poison.accountingEntryId)).toMatchObject({
      status: 'failed',
      failureReasonType: 'unexpected_failure',
      failureReason: expect.stringContaining('contact support'),
    });
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });
});

describe('a result that the platform refuses', () => {
  const reports = async (job: FakeJob) => exports.rows('export_item', job.id, 'state, report_problem');

  it.each([
    ['ACCOUNTING_ENTRY_UPDATE_FAILED', 3],
    ['EXPORT_ENTRY_STATUS_UPDATE_FAILED', 3],
    ['SOMETHING_NEW', 3],
    ['ACCOUNTING_ENTRY_DOES_NOT_EXIST', 1],
  ])('for %s is sent %d times, and then stored with the problem', async (type, times) => {
    const items = purchases(tenant.companyId, 3);
    const [refused = purchase(tenant.companyId)] = items;
    exports.platform.itemErrors.set(refused.accountingEntryId, { type, message: 'not now' });
    const job = await exports.addJob(tenant, items);
    await exports.processQueue(tenant);
    expect(job.updates).toEqual([3, 1, 1].slice(0, times));
    expect(await reports(job)).toEqual([
      ['successful', `${type}: not now`],
      ['successful', null],
      ['successful', null],
    ]);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
  });

  it('and accepts the second time is stored without a problem', async () => {
    const items = purchases(tenant.companyId, 2);
    const [, refused = purchase(tenant.companyId)] = items;
    const error = { type: 'ACCOUNTING_ENTRY_UPDATE_FAILED', message: 'not now' };
    exports.platform.itemErrors.set(refused.accountingEntryId, error);
    exports.platform.after = (call) => {
      if (call === 'update-items') {
        exports.platform.itemErrors.clear();
      }
    };
    const job = await exports.addJob(tenant, items);
    await exports.processQueue(tenant);
    expect(job.updates).toEqual([2, 1]);
    expect(job.results.get(refused.accountingEntryId)).toMatchObject({ status: 'successful' });
    expect(await reports(job)).toEqual([
      ['successful', null],
      ['successful', null],
    ]);
  });
});

describe('an event with an uncertain response', () => {
  const nonsense = () => {
    throw new InvalidPlatformResponse('a login page');
  };
  /** @param times how often the platform is not reached, or its answer is not its own */
  function disturb(when: 'before' | 'after', event: string, times: number): void {
    let left = times;
    exports.platform[when] = (call) => {
      if (call === event && left > 0) {
        left -= 1;
        nonsense();
      }
    };
  }
  const reports = () => exports.platform.calls.filter((call) => call !== 'job-items' && call !== 'item-data');

  it.each(['started', 'completed'])('is followed by a read of the job, and %s is sent again', async (event) => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    disturb('before', event, 2);
    await exports.processQueue(tenant);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(await exports.stateOf(job)).toBe('completed');
    const first = reports().findIndex((call) => call === event);
    expect(reports().slice(first, first + 5)).toEqual([event, 'job', event, 'job', event]);
  });

  it.each(['started', 'completed'])('that had its effect is not sent again: %s', async (event) => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    disturb('after', event, 1);
    await exports.processQueue(tenant);
    expect(calls(event)).toBe(1);
    expect(await exports.stateOf(job)).toBe('completed');
  });

  it('permanently leaves the job open here as on the platform', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    disturb('before', 'completed', 1_000);
    await exports.processQueue(tenant);
    expect([job.status, await exports.stateOf(job)]).toEqual(['in_progress', 'verdict_decided']);
  });
});

describe('a final event that the platform has accepted and does not show', () => {
  /** The platform answers the first `times` final events, and loses them. */
  function lose(times: number): void {
    const send = exports.platform.sendJobEvent.bind(exports.platform);
    let left = times;
    jest.spyOn(exports.platform, 'sendJobEvent').mockImplementation(async (auth, id, event) => {
      if (event.event !== 'started' && left > 0) {
        left -= 1;
        return;
      }
      await send(auth, id, event);
    });
  }
  const detect = () => exports.get(DetectExportJobs).detect(tenant.installationId);

  it('is sent again by a look for open jobs a minute later, and costs no request before', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    lose(1);
    await exports.processQueue(tenant);
    expect([calls('job'), job.status, await exports.stateOf(job)]).toEqual([1, 'in_progress', 'completed']);
    exports.clock.passMinutes(0.9);
    await detect();
    expect(job.status).toBe('in_progress');
    exports.clock.passMinutes(0.2);
    await detect();
    expect([job.events, job.status]).toEqual([[{ event: 'started' }, { event: 'completed' }], 'completed']);
  });

  it('is sent again by each look until it shows', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    lose(2);
    await exports.processQueue(tenant);
    exports.clock.passMinutes(1.1);
    await detect();
    expect(job.status).toBe('in_progress');
    await detect();
    expect([job.status, await exports.stateOf(job)]).toEqual(['completed', 'completed']);
  });

  it('that the platform then refuses keeps no other job from being found', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    lose(1);
    await exports.processQueue(tenant);
    exports.clock.passMinutes(1.1);
    exports.platform.before = (call) => {
      if (call === 'completed') {
        throw new PlatformRefusal(400, '', '', undefined);
      }
    };
    exports.platform.addJob(tenant.companyId, purchases(tenant.companyId, 1));
    expect(await detect()).toBe(2);
    exports.platform.restore();
    jest.restoreAllMocks();
    await detect();
    expect(job.status).toBe('completed');
  });

  it('is not sent for a job that is not over here', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.before = (call) => {
      if (call === 'completed') {
        throw new PlatformRefusal(503, '', '', undefined);
      }
    };
    await exports.processQueue(tenant);
    const sent = calls('completed');
    exports.clock.passMinutes(1.1);
    await detect();
    expect([calls('completed'), await exports.stateOf(job)]).toEqual([sent, 'verdict_decided']);
  });
});

describe('results that the platform omits from its response', () => {
  it('are sent again', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2));
    const update = exports.platform.updateJobItems.bind(exports.platform);
    jest
      .spyOn(exports.platform, 'updateJobItems')
      .mockImplementationOnce(() => Promise.resolve({ data: [], errors: [] }))
      .mockImplementation(update);
    await exports.processQueue(tenant);
    expect([...job.results.keys()].toSorted()).toEqual(idsOf(job).toSorted());
  });
});

describe('a proxy page with 404', () => {
  it('does not end a job that the platform still has', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.before = () => {
      throw new PlatformRefusal(404, '', '', undefined);
    };
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('detected');
    exports.platform.restore();
    await exports.processQueueAgain(tenant);
    expect(await exports.stateOf(job)).toBe('completed');
  });
});

describe('a tenant who revokes our access in the middle of a job', () => {
  const lost = () => {
    throw new AuthorizationLost('the grant is revoked');
  };

  async function loseInTheMiddle(): Promise<FakeJob> {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3_000));
    exports.platform.after = (call) => {
      if (call === 'update-items') {
        exports.platform.before = lost;
      }
    };
    await exports.processQueue(tenant);
    return job;
  }

  it('gets no further call with the lost access except those in flight, and nothing more is posted', async () => {
    const job = await loseInTheMiddle();
    const [posts, updates] = [exports.erp.posts.length, job.updates.length];
    expect(updates).toBe(1);
    expect(posts).toBeLessThanOrEqual(2 + CHUNKS_AHEAD);
    await letOthersWork(exports);
    expect(exports.erp.posts).toHaveLength(posts);
    expect(await exports.stateOf(job)).toBe('running');
  });

  it('and restores it in time has the job ended normally', async () => {
    const job = await loseInTheMiddle();
    const posted = exports.erp.posts.flat();
    exports.platform.restore();
    await exports.processQueueAgain(tenant);
    expect(exports.erp.posts.flat().slice(0, posted.length)).toEqual(posted);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job));
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });

  it('and never restores it leaves the job expired, and each posted entry known for the next export', async () => {
    const job = await loseInTheMiddle();
    const posted = exports.erp.posts.flat();
    exports.clock.passMinutes(62);
    await exports.processQueueAgain(tenant);
    expect(await exports.stateOf(job)).toBe('expired');
    expect(exports.erp.posts.flat()).toEqual(posted);
    exports.platform.restore();
    const data = job.data;
    const again = await exports.addJob(tenant, data);
    await exports.processQueue(tenant);
    expect(again.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job));
  });
});
