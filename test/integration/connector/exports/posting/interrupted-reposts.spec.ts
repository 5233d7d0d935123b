import { beforeEach, describe, expect, it } from '@jest/globals';
import { losesRequest, NO_RESPONSE, postsWithoutResponse, UNREACHABLE } from '../../../../support/fake-erp.js';
import { ChangingEntry } from './changing-entry.js';
import { ExportsHarness } from '../exports-harness.js';
import { startedOnce } from '../../../../support/started-once.js';

// Reverse and repost, ended at every boundary: one effect in the end, and never a word too much about what is in the books.

const exports = startedOnce(() => ExportsHarness.start());
let entry: ChangingEntry;

beforeEach(async () => {
  entry = await ChangingEntry.of(exports);
});

type Moment = 'before' | 'after';

/** The next call of this method ends the run, as when the worker is killed: nothing after it is written. */
function dies(target: object, name: string, moment: Moment): void {
  const method: unknown = Reflect.get(target, name);
  Reflect.set(target, name, async (...given: readonly unknown[]) => {
    Reflect.set(target, name, method);
    if (moment === 'after' && typeof method === 'function') {
      await Reflect.apply(method, target, given);
    }
    throw new Error('killed');
  });
}

/** The next reversal has no answer, and no effect either when it is lost before. */
function loseReversal(moment: Moment): void {
  const { erp } = exports;
  const reverse = erp.reverse.bind(erp);
  erp.reverse = async (company, keys) => {
    erp.reverse = reverse;
    if (moment === 'after') {
      await reverse(company, keys);
    }
    return keys.map(() => ({ outcome: 'unavailable', failure: NO_RESPONSE }));
  };
}

describe('a worker that is killed', () => {
  it.each([
    [
      'before it writes down that it may reverse',
      () => exports.stores.postingIntentRepository,
      'recordReversalSending',
      'before',
    ],
    ['before the reversal', () => exports.erp, 'reverse', 'before'],
    ['after the reversal', () => exports.erp, 'reverse', 'after'],
    ['before it writes down the reversal', () => exports.stores.postingIntentRepository, 'markReversed', 'before'],
    [
      'before it writes down that it may post',
      () => exports.stores.postingIntentRepository,
      'recordSendingLast',
      'before',
    ],
    ['before the post', () => exports.erp, 'post', 'before'],
    ['after the post', () => exports.erp, 'post', 'after'],
    ['before it writes down the post', () => exports.stores.exportItemRepository, 'record', 'before'],
  ] as const)('%s leaves exactly one effect', async (_, target, name, moment) => {
    await entry.exportOf(entry.original());
    dies(target(), name, moment);
    const job = await entry.exportOf(entry.changed());
    expect(job.results.size).toBe(0);
    await entry.processQueueAgain();
    await entry.expectReplaced(job);
  });

  it('after the reversal does not let the reversed entry be reported', async () => {
    await entry.exportOf(entry.original());
    dies(exports.erp, 'reverse', 'after');
    const job = await entry.exportOf(entry.changed());
    job.status = 'cancelled';
    await entry.expectReplaced(await entry.exportOf(entry.original()));
  });

  it('before the reversal does not let the entry be posted twice', async () => {
    await entry.exportOf(entry.original());
    dies(exports.erp, 'reverse', 'before');
    const job = await entry.exportOf(entry.changed());
    job.status = 'cancelled';
    const again = await entry.exportOf(entry.original());
    expect(entry.calls).toEqual(['find']);
    expect(entry.books()).toEqual(['stands']);
    expect(again.results.get(entry.id)).toMatchObject({ status: 'successful', externalId: entry.externalId });
  });

  it('after the post keeps the warnings that the item would have had', async () => {
    exports.erp.warnings.set(entry.id, ['Possible duplicate of J-7.']);
    dies(exports.erp, 'post', 'after');
    const job = await entry.exportOf(entry.fee());
    await entry.processQueueAgain();
    expect(exports.erp.posts).toHaveLength(1);
    expect(await entry.warningsIn(job)).toEqual([
      'Line 1 names no account: the fallback account 6570 was used.',
      'Possible duplicate of J-7.',
    ]);
  });
});

describe('an ERP that stops responding', () => {
  it.each(['before', 'after'] as const)('%s it reverses is queried again in the next run', async (moment) => {
    await entry.exportOf(entry.original());
    loseReversal(moment);
    const job = await entry.exportOf(entry.changed());
    expect(await exports.stateOf(job)).toBe('running');
    expect(await entry.intents()).toEqual([[1, 'posted', entry.externalId, true]]);
    await entry.processQueueAgain();
    await entry.expectReplaced(job);
  });

  it('and reports fewer entries than it was asked to reverse counts as not responding', async () => {
    await entry.exportOf(entry.original());
    const { erp } = exports;
    const reverse = erp.reverse.bind(erp);
    erp.reverse = () => {
      erp.reverse = reverse;
      return Promise.resolve([]);
    };
    const job = await entry.exportOf(entry.changed());
    expect(entry.books()).toEqual(['stands']);
    await entry.processQueueAgain();
    await entry.expectReplaced(job);
  });

  it('does not prevent the others of the page from being posted', async () => {
    await entry.exportOf(entry.original());
    loseReversal('before');
    const fresh = entry.other();
    const job = await entry.exportOf(entry.changed(), fresh);
    expect(job.results.has(fresh.accountingEntryId)).toBe(false);
    expect(entry.books(fresh.accountingEntryId)).toEqual(['stands']);
    await entry.processQueueAgain();
    expect([...job.statuses.values()]).toEqual(['successful', 'successful']);
    expect(entry.books(fresh.accountingEntryId)).toEqual(['stands']);
  });

  it('after the reversal and the loss of the post has exactly one effect', async () => {
    await entry.exportOf(entry.original());
    exports.erp.script.push(losesRequest, postsWithoutResponse);
    await entry.expectReplaced(await entry.exportOf(entry.changed()));
    expect(entry.calls).toEqual(['reverse', 'post', 'find', 'post', 'find']);
  });
});

describe('a job without time for the rest', () => {
  it.each([
    ['before', (id: string) => `the books have it as it was exported before (${id})`],
    ['after', (id: string) => `earlier entry (${id}) is reversed, so nothing of it is in the books now`],
  ] as const)('reports what the books have, when the ERP stopped responding %s the reversal', async (moment, words) => {
    await entry.exportOf(entry.original());
    loseReversal(moment);
    const job = await entry.exportOf(entry.changed());
    exports.clock.passMinutes(51);
    await entry.processQueueAgain();
    expect(job.results.get(entry.id)).toMatchObject({ status: 'failed' });
    expect(entry.reasonIn(job)).toContain(words(entry.externalId));
    expect(entry.books()).toHaveLength(1);
  });

  it('reports an unknown state when the ERP can no longer be queried', async () => {
    await entry.exportOf(entry.original());
    loseReversal('after');
    const job = await entry.exportOf(entry.changed());
    exports.erp.failure = UNREACHABLE;
    exports.clock.passMinutes(51);
    await entry.processQueueAgain();
    expect(entry.reasonIn(job)).toContain(
      `earlier entry (${entry.externalId}) was being reversed, and whether it still stands`,
    );
    expect(job.events.at(-1)).toMatchObject({ event: 'failed' });
  });

  it('reports what is certainly posted, even if the ERP cannot be queried for the rest', async () => {
    const known = entry.other();
    await entry.exportOf(known);
    exports.erp.script.push(postsWithoutResponse);
    exports.erp.onPost = () => {
      exports.erp.lookUpFailure = NO_RESPONSE;
      return Promise.resolve();
    };
    const job = await entry.exportOf(entry.original(), known);
    exports.erp.failure = UNREACHABLE;
    exports.clock.passMinutes(51);
    await entry.processQueueAgain();
    expect(job.results.get(known.accountingEntryId)?.status).toBe('successful');
    expect(entry.reasonIn(job)).toContain('Whether it is in the books could not be asked');
  });
});
