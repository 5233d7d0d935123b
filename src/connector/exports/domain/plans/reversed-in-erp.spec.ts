import { describe, expect, it } from '@jest/globals';
import { contentOf } from '../../../bookkeeping/item/content-of.js';
import { contextWith, day, itemOf } from '../../../bookkeeping/item/planning.fixtures.js';
import type { KnownEntry } from './known-entry.js';
import { planChunk } from './plan-chunk.js';

const ID = 'an accounting entry';
const meal = itemOf({ type: 'card_purchase', amount: '10000' });
const dearer = itemOf({ type: 'card_purchase', amount: '12000' });
const unbookable = itemOf({ type: 'card_purchase', amount: '100', lines: [{ amount: '100', account: '0000' }] });
const reversal = { entry: 'J-1', by: 'J-9', on: day('2026-02-12') };

/** An earlier job posted `meal` as J-1, and it was taken out of the books in the ERP. */
const reversed: KnownEntry = {
  posting: undefined,
  ownContent: false,
  foundNow: false,
  nextRevision: 2,
  replaced: 'J-1',
  inDoubt: undefined,
  reversal,
};
const lost: KnownEntry = {
  ...reversed,
  posting: {
    contentDigest: contentOf(meal),
    externalId: 'J-1',
    externalUrl: 'erp://J-1',
    content: [],
    warnings: [],
  },
  replaced: undefined,
  reversal: undefined,
  lost: 'J-1',
};

function plan(item: typeof meal, known: KnownEntry, reversedInErp: 'repost' | 'fail') {
  const context = contextWith({ policies: { reversedInErp, conflicts: 'reverse-and-repost' } });
  return planChunk([{ accountingEntryId: ID, item }], new Map([[ID, known]]), context, String);
}

describe('an entry that was reversed in the ERP', () => {
  it('is posted as the next revision under the policy repost, and names its reversal', () => {
    expect(plan(meal, reversed, 'repost')).toMatchObject([
      { accountingEntryId: ID, action: 'post', revision: 2, replaced: 'J-1', reversal },
    ]);
  });

  it.each([
    ['with the same content', meal],
    ['with other content', dearer],
    ['that cannot be booked', unbookable],
  ])('fails %s under the policy fail', (_, item) => {
    expect(plan(item, reversed, 'fail')).toEqual([
      {
        accountingEntryId: ID,
        action: 'fail',
        failureType: 'accounting_system_validation_failure',
        failureReason:
          'This entry was posted before as J-1, which was reversed in the accounting system by J-9 on 2026-02-12. It was not posted again: leave it out of the export, or have an administrator choose "post anew" at Set-up in the connector for entries that were reversed in the accounting system; then export it again.',
        messages: [
          {
            code: 'reason.reversed',
            parameters: { entry: 'J-1', known: 'somebody', by: 'J-9', dated: 'yes', on: '2026-02-12' },
          },
        ],
        issues: [{ kind: 'refused', reference: 'reversed in the accounting system' }],
      },
    ]);
  });

  it('by the connector itself is posted as the next revision under either policy', () => {
    expect(plan(meal, { ...reversed, reversal: undefined }, 'fail')).toMatchObject([{ action: 'post', revision: 2 }]);
  });
});

describe('an entry that the ERP no longer has', () => {
  it.each(['repost', 'fail'] as const)('fails with any content, under the policy %s', (policy) => {
    for (const item of [meal, dearer, unbookable]) {
      expect(plan(item, lost, policy)).toEqual([
        {
          accountingEntryId: ID,
          action: 'fail',
          failureType: 'accounting_system_validation_failure',
          failureReason:
            'An earlier export posted this entry as J-1, and the accounting system does not know it any more. It was not posted again: the next comparison shows it among the discrepancies, where you can accept that or have it exported again.',
          messages: [{ code: 'reason.lost', parameters: { entry: 'J-1' } }],
          issues: [{ kind: 'refused', reference: 'lost in the accounting system' }],
        },
      ]);
    }
  });
});
