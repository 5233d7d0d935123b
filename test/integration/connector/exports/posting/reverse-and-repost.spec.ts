import { beforeEach, describe, expect, it } from '@jest/globals';
import { itemOf } from '../../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { refuses } from '../../../../support/fake-erp.js';
import { ChangingEntry, CHANGED_LINES, ORIGINAL_LINES } from './changing-entry.js';
import { ExportsHarness, fetched } from '../exports-harness.js';
import { startedOnce } from '../../../../support/started-once.js';

// An accounting entry that is in the books with other content than the export has now (B7.3).

const exports = startedOnce(() => ExportsHarness.start());
let entry: ChangingEntry;

beforeEach(async () => {
  entry = await ChangingEntry.of(exports);
});

describe('a changed entry', () => {
  it('is reversed in the ERP and posted anew', async () => {
    await entry.exportOf(entry.original());
    const job = await entry.exportOf(entry.changed());
    await entry.expectReplaced(job);
    expect(exports.erp.calls).toEqual([
      { call: 'reverse', keys: [entry.id] },
      { call: 'post', keys: [entry.id] },
    ]);
  });

  it('is reversed only after the attempt has been recorded [I17]', async () => {
    await entry.exportOf(entry.original());
    const seen: unknown[] = [];
    const { erp } = exports;
    const reverse = erp.reverse.bind(erp);
    erp.reverse = async (company, keys) => {
      erp.reverse = reverse;
      seen.push(...(await entry.intents()));
      return reverse(company, keys);
    };
    await entry.exportOf(entry.changed());
    expect(seen).toEqual([[1, 'posted', entry.externalId, true]]);
  });

  it('can change repeatedly', async () => {
    await entry.exportOf(entry.original());
    await entry.exportOf(entry.changed());
    const job = await entry.exportOf(entry.original());
    expect(entry.books()).toEqual(['reversed', 'reversed', 'stands']);
    expect(job.results.get(entry.id)).toMatchObject({
      status: 'successful',
      externalId: `${entry.externalId}-3`,
    });
    expect(await entry.warningsIn(job)).toEqual([
      `It replaces ${entry.externalId}-2, which an earlier export had posted and which was reversed.`,
    ]);
    await entry.exportOf(entry.original());
    expect(entry.calls).toEqual(['find']);
  });

  it('does not delay or change the others of its page', async () => {
    const [known, bad] = [entry.other(), entry.other('0000')];
    await entry.exportOf(entry.original(), known);
    const fresh = entry.other();
    const job = await entry.exportOf(fresh, entry.changed(), known, bad);
    expect(exports.erp.reversals).toEqual([[entry.id]]);
    expect(exports.erp.posts).toEqual([[fresh.accountingEntryId, entry.id]]);
    expect(entry.books(known.accountingEntryId)).toEqual(['stands']);
    expect([...job.statuses.values()]).toEqual(['successful', 'successful', 'successful', 'failed']);
  });

  it('that a person has reversed already is posted anew', async () => {
    await entry.exportOf(entry.original());
    exports.erp.reverseByHand(entry.id);
    await entry.expectReplaced(await entry.exportOf(entry.changed()));
  });

  it('that is posted outside the connector after the reversal fails, and is not reversed a second time', async () => {
    await entry.exportOf(entry.original());
    exports.erp.script.push(({ key }, erp) => {
      const existing = erp.seedDocument(key, 'other content');
      return { outcome: 'conflict', existing, existingContent: [] };
    });
    const job = await entry.exportOf(entry.changed());
    expect(entry.calls).toEqual(['reverse', 'post']);
    expect(entry.books()).toEqual(['reversed', 'stands']);
    expect(entry.reasonIn(job)).toContain(`in the books already (${entry.externalId}-2)`);
    expect(entry.reasonIn(job)).toContain('posted outside the connector in the meantime');
  });

  it('is refused under the other policy, with both contents and what to do', async () => {
    entry = await ChangingEntry.of(exports, { conflicts: 'fail' });
    await entry.exportOf(entry.original());
    const job = await entry.exportOf(entry.changed());
    expect(entry.calls).toEqual(['find']);
    expect(entry.books()).toEqual(['stands']);
    expect(job.results.get(entry.id)).toMatchObject({
      status: 'failed',
      failureReasonType: 'validation_failure',
    });
    expect(entry.reasonIn(job)).toBe(
      `This entry is in the books already (${entry.externalId}) with other content. In the books: ${ORIGINAL_LINES}. ` +
        `The export says now: ${CHANGED_LINES}. Undo the change on the platform, or have an administrator choose ` +
        '"reverse and post anew" at Set-up in the connector for entries that were changed after they were posted; then export it again.',
    );
  });
});

describe('a changed entry that cannot be booked', () => {
  it('stays in the books unchanged, with that in the reason', async () => {
    await entry.exportOf(entry.original());
    const job = await entry.exportOf(entry.changed('0000'));
    expect(entry.calls).toEqual([]);
    expect(entry.books()).toEqual(['stands']);
    expect(job.results.get(entry.id)).toMatchObject({
      status: 'failed',
      failureReasonType: 'account_unknown',
    });
    expect(entry.reasonIn(job)).toMatch(
      new RegExp(
        `account 0000 .* Until then the books have it as it was exported before \\(${entry.externalId}\\)\\.$`,
      ),
    );
  });

  it('because the ERP refuses its vendor has that in the reason too', async () => {
    entry = await ChangingEntry.of(exports, { conflicts: 'reverse-and-repost', unknownVendor: 'create' });
    await entry.exportOf(entry.original());
    const item = itemOf({
      type: 'card_purchase',
      amount: '99900',
      method: 'accounts_payable',
      vendor: 'V-99',
    });
    const job = await entry.exportOf(fetched(entry.tenant.companyId, entry.id, item));
    expect(exports.erp.reversals).toEqual([]);
    expect(entry.reasonIn(job)).toContain('this ERP takes no vendors');
    expect(entry.reasonIn(job)).toContain(`as it was exported before (${entry.externalId})`);
  });

  it('because it cannot be read has that in the reason too', async () => {
    await entry.exportOf(entry.original());
    const job = await entry.exportOf({ accountingEntryId: entry.id, unreadable: 'amount: is missing' });
    expect(entry.reasonIn(job)).toContain('amount: is missing');
    expect(entry.reasonIn(job)).toContain(`as it was exported before (${entry.externalId})`);
  });
});

describe('a reversal that the ERP refuses', () => {
  it('fails the item with the message of the ERP and both contents, and changes nothing', async () => {
    await entry.exportOf(entry.original());
    exports.erp.reversalRefusal = 'Period 2026-02 is locked.';
    const job = await entry.exportOf(entry.changed());
    expect(entry.calls).toEqual(['reverse']);
    expect(entry.books()).toEqual(['stands']);
    expect(job.results.get(entry.id)).toMatchObject({
      failureReasonType: 'accounting_system_validation_failure',
    });
    expect(entry.reasonIn(job)).toContain(`In the books: ${ORIGINAL_LINES}. The export says now: ${CHANGED_LINES}.`);
    expect(entry.reasonIn(job)).toMatch(/It says: Period 2026-02 is locked\.$/);
    expect(await entry.intents()).toEqual([[1, 'posted', entry.externalId, false]]);
  });

  it('leaves no posting in doubt: the former entry is reported', async () => {
    await entry.exportOf(entry.original());
    exports.erp.reversalRefusal = 'no';
    await entry.exportOf(entry.changed());
    const job = await entry.exportOf(entry.original());
    expect(entry.calls).toEqual(['find']);
    expect(job.results.get(entry.id)).toMatchObject({ status: 'successful', externalId: entry.externalId });
  });

  it('because the entry is unknown fails the item with that reason', async () => {
    await entry.exportOf(entry.original());
    const { erp } = exports;
    const reverse = erp.reverse.bind(erp);
    erp.reverse = (_, keys) => {
      erp.reverse = reverse;
      return Promise.resolve(keys.map(() => ({ outcome: 'absent' })));
    };
    const job = await entry.exportOf(entry.changed());
    expect(exports.erp.posts).toEqual([]);
    expect(entry.reasonIn(job)).toContain('no longer knows what is in the books of it');
    expect(await entry.intents()).toEqual([[1, 'posted', entry.externalId, false]]);
  });
});

describe('a new post that the ERP refuses after the reversal', () => {
  it('fails the item with the reason that nothing is in the books', async () => {
    await entry.exportOf(entry.original());
    exports.erp.script.push(refuses('Account 5410 is locked.'));
    const job = await entry.exportOf(entry.changed());
    expect(entry.books()).toEqual(['reversed']);
    expect(entry.reasonIn(job)).toBe(
      'The accounting system refused the entry: Account 5410 is locked. ' +
        `Its earlier entry (${entry.externalId}) is reversed, so nothing of it is in the books now.`,
    );
  });

  it('is replaced by the next export, with either content', async () => {
    for (const next of ['changed', 'original'] as const) {
      entry = await ChangingEntry.of(exports);
      await entry.exportOf(entry.original());
      exports.erp.script.push(refuses('no'));
      await entry.exportOf(entry.changed());
      await entry.expectReplaced(await entry.exportOf(entry[next]()));
    }
  });
});
