import { beforeEach, describe, expect, it } from '@jest/globals';
import { ChangingEntry } from './changing-entry.js';
import { ExportsHarness } from '../exports-harness.js';
import { startedOnce } from '../../../../support/started-once.js';

// An entry that a person has reversed in the ERP, or that the ERP has lost, and that is exported again (B9.1; the numbers
// are those of the examples in B8.2).

const exports = startedOnce(() => ExportsHarness.start());
let entry: ChangingEntry;
let failing: ChangingEntry;

beforeEach(async () => {
  entry = await ChangingEntry.of(exports, {});
  failing = await ChangingEntry.of(exports, { reversedInErp: 'fail' });
});

const reversedText = ({ externalId }: ChangingEntry) =>
  `This entry was posted before as ${externalId}, which was reversed in the accounting system by reversal-of-${externalId} on 2026-03-05.`;

describe('an entry that was reversed in the ERP', () => {
  it('27: is posted again as the next revision, with a warning that names both', async () => {
    await entry.exportOf(entry.original());
    exports.erp.reverseByHand(entry.id);
    const job = await entry.exportOf(entry.original());
    expect(entry.books()).toEqual(['reversed', 'stands']);
    expect(job.results.get(entry.id)).toMatchObject({ status: 'successful', externalId: `${entry.externalId}-2` });
    expect(await entry.warningsIn(job)).toEqual([
      `${reversedText(entry)} It was posted again as ${entry.externalId}-2.`,
    ]);
    expect(entry.calls).toEqual(['find', 'post']);
    expect(await entry.intents()).toEqual([
      [1, 'reversed', entry.externalId, false],
      [2, 'posted', `${entry.externalId}-2`, false],
    ]);
  });

  it('28: fails where the policy says so, each time, and the reason names the entry and its reversal', async () => {
    await failing.exportOf(failing.original());
    exports.erp.reverseByHand(failing.id);
    for (const attempt of [1, 2]) {
      const job = await failing.exportOf(failing.original());
      expect([attempt, job.results.get(failing.id)]).toMatchObject([
        attempt,
        { status: 'failed', failureReasonType: 'accounting_system_validation_failure' },
      ]);
      expect(failing.reasonIn(job)).toContain(reversedText(failing));
      expect(failing.books()).toEqual(['reversed']);
    }
  });

  it('is not a conflict when its content has changed as well', async () => {
    await entry.exportOf(entry.original());
    exports.erp.reverseByHand(entry.id);
    const job = await entry.exportOf(entry.changed());
    expect(job.results.get(entry.id)).toMatchObject({ status: 'successful' });
    expect(entry.books()).toEqual(['reversed', 'stands']);
  });

  it.each(['repost', 'fail'] as const)(
    'is reported by the posting call when our record is lost, policy %s',
    async (policy) => {
      const one = policy === 'fail' ? failing : entry;
      await one.exportOf(one.original());
      exports.erp.reverseByHand(one.id);
      await one.forgetRecord();
      const job = await one.exportOf(one.original());
      expect(job.results.get(one.id)).toMatchObject({ status: policy === 'fail' ? 'failed' : 'successful' });
      const text = policy === 'fail' ? one.reasonIn(job) : JSON.stringify(await one.warningsIn(job));
      expect(text).toContain(reversedText(one));
      expect(one.calls).toEqual(policy === 'fail' ? ['post'] : ['post', 'post']);
    },
  );
});

describe('requests to the ERP', () => {
  it('are one look-up of everything that earlier jobs have posted, and none about new entries', async () => {
    const [known, other] = [entry.other(), entry.other()];
    await entry.exportOf(known, other);
    expect(entry.calls).toEqual(['post']);
    const fresh = entry.other();
    await entry.exportOf(known, fresh, other);
    expect(exports.erp.calls).toEqual([
      { call: 'find', keys: expect.arrayContaining([known.accountingEntryId, other.accountingEntryId]) },
      { call: 'post', keys: [fresh.accountingEntryId] },
    ]);
  });
});

it('an entry that the ERP has lost is neither reported as exported nor posted again', async () => {
  await entry.exportOf(entry.original());
  exports.erp.forget(entry.id);
  const job = await entry.exportOf(entry.original());
  expect(job.results.get(entry.id)).toMatchObject({
    status: 'failed',
    failureReasonType: 'accounting_system_validation_failure',
  });
  expect(entry.reasonIn(job)).toContain(
    `posted this entry as ${entry.externalId}, and the accounting system does not know`,
  );
  expect(entry.calls).toEqual(['find']);
});
