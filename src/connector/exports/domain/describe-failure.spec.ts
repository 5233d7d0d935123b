import { describe, expect, it } from '@jest/globals';
import { contentOf } from '../../bookkeeping/item/content-of.js';
import { contextWith, itemOf } from '../../bookkeeping/item/planning.fixtures.js';
import { describeFailure } from './describe-failure.js';
import type { InDoubtReason, KnownEntry } from './plans/known-entry.js';
import { planChunk } from './plans/plan-chunk.js';
import { MAX_REASON_LENGTH } from './verdict.js';

const ID = '0a0b0c0d-0000-4000-8000-000000000001';
const ACCOUNT = { kind: 'account', reference: '404' } as const;
const UNCONFIRMED = { kind: 'not-confirmed', reference: 'posting' } as const;
const TOO_LATE = { failureType: 'account_unknown', failureReason: 'Too late.' };

const POST = 'Too late. Whether it is in the books could not be asked: the next export of it looks first.';
const NOT_SHOWN =
  'Too late. It may be in the books though the accounting system does not show it yet: the connector goes on looking, and the next export of it reports what was found.';
const PERSON = `The accounting system did not confirm this entry, and the connector cannot search it: the entry may be in the books. Look there for reference ${ID}, then record in the connector, under postings in doubt, whether you found it. Until then it is not exported again.`;
const REVERSAL =
  'Too late. Its earlier entry (J-1) was being reversed, and whether it still stands could not be asked: the next export of it looks first.';

const POSTING = { contentDigest: 'digest', externalId: 'J-1', externalUrl: '', content: [], warnings: [] };

function known(doubt: InDoubtReason | undefined): KnownEntry {
  return {
    posting: doubt === 'reversal' ? POSTING : undefined,
    ownContent: false,
    foundNow: false,
    nextRevision: 1,
    replaced: undefined,
    inDoubt: doubt,
  };
}

describe('the failure of an item', () => {
  it.each([
    [undefined, 'account_unknown', 'Too late.', ACCOUNT],
    ['post', 'account_unknown', POST, ACCOUNT],
    ['reversal', 'account_unknown', REVERSAL, ACCOUNT],
    ['not-shown-yet', 'accounting_system_timeout', NOT_SHOWN, UNCONFIRMED],
    ['needs-manual-review', 'accounting_system_timeout', PERSON, UNCONFIRMED],
  ] as const)('that is in doubt as %s is %s: %s', (doubt, failureType, failureReason, cause) => {
    const failure = { ...TOO_LATE, issues: [ACCOUNT] };
    expect(describeFailure(ID, known(doubt), failure)).toMatchObject({
      failureType,
      failureReason,
      issues: [cause],
    });
  });

  it.each([
    [
      'stands',
      { posting: POSTING, replaced: 'J-0' },
      'Too late. Until then the books have it as it was exported before (J-1).',
    ],
    [
      'was reversed',
      { replaced: 'J-0' },
      'Too late. Its earlier entry (J-0) is reversed, so nothing of it is in the books now.',
    ],
  ] as const)('whose earlier entry %s says so', (_, before, failureReason) => {
    const failure = { ...TOO_LATE, issues: [ACCOUNT] };
    expect(describeFailure(ID, { ...known(undefined), ...before }, failure)).toMatchObject({
      failureType: 'account_unknown',
      failureReason,
      issues: [ACCOUNT],
    });
  });

  it('that was being reversed names no entry where none is known', () => {
    const nameless = { ...known('reversal'), posting: undefined };
    expect(describeFailure(ID, nameless, { ...TOO_LATE, issues: [ACCOUNT] })).toMatchObject({
      failureType: 'account_unknown',
      failureReason: POST,
      issues: [ACCOUNT],
    });
  });

  it.each(['post', 'reversal', 'not-shown-yet', 'needs-manual-review'] as const)(
    'keeps the in-doubt reason %s in full, however long the failure reason is',
    (doubt) => {
      const long = { ...TOO_LATE, failureReason: 'x'.repeat(5_000) };
      const { failureReason } = describeFailure(ID, known(doubt), long);
      expect(failureReason.length).toBeLessThanOrEqual(MAX_REASON_LENGTH);
      expect(failureReason).toMatch(/looks first\.$|what was found\.$|not exported again\.$/);
    },
  );
});

describe('the plan of an item in doubt', () => {
  const bookable = itemOf({ type: 'card_purchase', amount: '10000' });
  const unbookable = itemOf({
    type: 'card_purchase',
    amount: '10000',
    lines: [{ amount: '10000', account: '0000' }],
  });
  const ofNewVendor = itemOf({
    type: 'card_purchase',
    amount: '10000',
    method: 'accounts_payable',
    vendor: 'V-99',
  });
  const context = contextWith({ policies: { conflicts: 'reverse-and-repost', unknownVendor: 'create' } });
  const plan = (item: typeof bookable, doubt: InDoubtReason) =>
    planChunk([{ accountingEntryId: ID, item }], new Map([[ID, known(doubt)]]), context, String)[0];

  it('is to post again when only waiting can settle the doubt', () => {
    expect(plan(bookable, 'not-shown-yet')).toMatchObject({ action: 'post', revision: 1 });
  });

  it.each([
    ['reported where it is in the books all the same', bookable, 'report-existing'],
    ['posted anew where other content is', itemOf({ type: 'card_purchase', amount: '12000' }), 'repost'],
  ])('is to be %s', (_, item, action) => {
    const before = { ...known('not-shown-yet'), posting: { ...POSTING, contentDigest: contentOf(bookable) } };
    expect(planChunk([{ accountingEntryId: ID, item }], new Map([[ID, before]]), context, String)).toMatchObject([
      { action },
    ]);
  });

  it.each([
    ['cannot be booked', unbookable],
    ['needs a new vendor', ofNewVendor],
  ])('fails as in doubt when it %s', (_, item) => {
    expect(plan(item, 'not-shown-yet')).toMatchObject({
      action: 'fail',
      failureType: 'accounting_system_timeout',
      failureReason: expect.stringContaining('It may be in the books'),
    });
  });

  it('fails as in doubt when it cannot be read', () => {
    const unreadable = { accountingEntryId: ID, unreadable: 'no date' };
    const before = new Map([[ID, known('not-shown-yet')]]);
    expect(planChunk([unreadable], before, context, String)).toMatchObject([
      { action: 'fail', failureReason: expect.stringMatching(/no date.*It may be in the books/) },
    ]);
  });

  it.each(['post', 'reversal', 'needs-manual-review'] as const)(
    'fails when it is %s, whatever its content is now',
    (doubt) => {
      for (const item of [bookable, unbookable, ofNewVendor]) {
        expect(plan(item, doubt)).toMatchObject({ action: 'fail', failureType: 'accounting_system_timeout' });
      }
      expect(plan(bookable, 'needs-manual-review')).toMatchObject({ failureReason: PERSON });
    },
  );
});
