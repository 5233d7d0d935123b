import { describe, expect, it } from '@jest/globals';
import { localizeProblem } from '../../../messages/texts.js';
import { contentOf, contentsOf } from '../../../bookkeeping/item/content-of.js';
import type { ExportItem } from '../../../bookkeeping/item/export-item.js';
import { contextWith, currency, day, itemOf } from '../../../bookkeeping/item/planning.fixtures.js';
import type { KnownEntry, KnownPosting } from './known-entry.js';
import { planChunk, type PlannedItem } from './plan-chunk.js';

const ID = 'an accounting entry';
const meal = itemOf({ type: 'card_purchase', amount: '10000' });
const dearer = itemOf({ type: 'card_purchase', amount: '12000' });
const fee = itemOf({ type: 'fee', amount: '250', lines: [{ amount: '250', account: null }] });
const unbookable = itemOf({
  type: 'card_purchase',
  amount: '12000',
  lines: [{ amount: '12000', account: '0000' }],
});
const unbookableTwice = itemOf({
  type: 'card_purchase',
  amount: '12000',
  lines: [
    { amount: '10000', account: '0000' },
    { amount: '2000', account: '0001' },
  ],
});
const ofNewVendor = itemOf({
  type: 'card_purchase',
  amount: '12000',
  method: 'accounts_payable',
  vendor: 'V-99',
});

const owed = itemOf({ type: 'out_of_pocket', amount: '10000', employee: 'E-1' });

const digest = (text: string) => `digest of ${text}`;

/** The books have `item`, posted as revision 1. */
function standing(item: ExportItem, more: Partial<KnownEntry> = {}): KnownEntry {
  const posting: KnownPosting = {
    contentDigest: digest(contentOf(item)),
    externalId: 'J-1',
    externalUrl: 'erp://J-1',
    content: [
      {
        role: 'entry',
        postingDate: day('2026-02-10'),
        currency: currency('EUR'),
        lines: [
          { accountCode: '5410', amountMinor: 10_000n },
          { accountCode: '1935', amountMinor: -10_000n },
        ],
      },
    ],
    warnings: ['Left open.'],
  };
  const known = { posting, ownContent: true, foundNow: false, nextRevision: 2 };
  return { ...known, replaced: undefined, inDoubt: undefined, ...more };
}

/** Nothing of it is in the books any more. */
const reversed: KnownEntry = {
  posting: undefined,
  ownContent: false,
  foundNow: false,
  nextRevision: 2,
  replaced: 'J-1',
  inDoubt: undefined,
};

function plan(
  item: ExportItem,
  known: KnownEntry | undefined,
  conflicts: 'fail' | 'reverse-and-repost' = 'reverse-and-repost',
): PlannedItem {
  const context = contextWith({ policies: { conflicts, unknownVendor: 'create' } });
  const before = new Map(known === undefined ? [] : [[ID, known]]);
  const [planned, ...others] = planChunk([{ accountingEntryId: ID, item }], before, context, digest);
  if (planned === undefined || others.length > 0) throw new Error('one item, one plan');
  return planned;
}

describe.each(['fail', 'reverse-and-repost'] as const)('an item, policy %s', (conflicts) => {
  it('of which nothing is known is posted as the first revision', () => {
    expect(plan(meal, undefined, conflicts)).toMatchObject({
      action: 'post',
      revision: 1,
      replaced: undefined,
      contentDigest: digest(contentOf(meal)),
      entries: [{ role: 'entry' }],
    });
  });

  it('whose entry is reversed is posted as the next revision', () => {
    expect(plan(meal, reversed, conflicts)).toMatchObject({ action: 'post', revision: 2, replaced: 'J-1' });
  });

  it('that is in the books with the same content is reported, even if it could not be booked now', () => {
    for (const item of [meal, fee, unbookable]) {
      const known = standing(item);
      expect(plan(item, known, conflicts)).toEqual({
        accountingEntryId: ID,
        action: 'report-existing',
        posting: known.posting,
        warnings: ['Left open.'],
      });
    }
  });

  it.each([0, 1])('owed to an employee is reported by the content of either planner (%s)', (index) => {
    const text = contentsOf(owed)[index] ?? '';
    const { posting, ...known } = standing(owed);
    const before = { ...known, posting: posting && { ...posting, contentDigest: digest(text) } };
    expect(plan(owed, before, conflicts)).toMatchObject({ action: 'report-existing' });
  });

  it('that an earlier run posted, and that could not be booked now, has no plan warnings', () => {
    expect(plan(unbookable, standing(unbookable, { foundNow: true }), conflicts)).toMatchObject({
      action: 'report-existing',
      warnings: ['Left open.'],
    });
  });

  it('that an earlier run posted without reporting it has the warnings of its plan too', () => {
    const known = standing(fee, { foundNow: true });
    const planned = plan(fee, known, conflicts);
    expect(planned.action).toBe('report-existing');
    const warnings = 'warnings' in planned ? planned.warnings : [];
    expect(warnings.map((warning) => localizeProblem('en', warning))).toEqual([
      'Line 1 names no account: the fallback account 6570 was used.',
      'Left open.',
    ]);
    expect(localizeProblem('de', warnings[0] ?? '')).toBe(
      'Zeile 1 nennt kein Konto: Gebucht wurde auf das Konto 6570 für Zeilen ohne Konto.',
    );
  });
});

describe('an item that is in the books with other content', () => {
  it('is posted anew under the policy reverse-and-repost', () => {
    const known = standing(meal);
    expect(plan(dearer, known)).toMatchObject({
      action: 'repost',
      posting: known.posting,
      revision: 2,
      replaced: 'J-1',
      contentDigest: digest(contentOf(dearer)),
    });
  });

  it('fails under the other policy, with both contents in the reason', () => {
    const planned = plan(dearer, standing(meal), 'fail');
    expect(planned).toMatchObject({
      action: 'fail',
      failureType: 'validation_failure',
      issues: [{ kind: 'changed', reference: 'entry' }],
    });
    expect(reasonOf(planned)).toContain('In the books: 5410 +100.00 · 1935 −100.00 EUR on 2026-02-10.');
    expect(reasonOf(planned)).toContain('The export says now: 5410 +120.00 · 1935 −120.00 EUR on 2026-02-10.');
  });

  it.each([
    [
      'that cannot be booked',
      unbookable,
      /The export says now: card_purchase of 120\.00 EUR on 2026-02-10, which cannot be booked: Line 1: account 0000 [^.]+\. [^.]+\. Undo the change/,
    ],
    [
      'of a new vendor',
      ofNewVendor,
      /now: card_purchase of 120\.00 EUR on 2026-02-10, of vendor "Vendor V-99", who is not in the accounting system\. Undo/,
    ],
    [
      'of no currency',
      itemOf({ type: 'fee', amount: 'much', currency: 'EURO' }),
      /now: fee of much EURO on 2026-02-10, which/,
    ],
    [
      'of too many decimals',
      itemOf({ type: 'fee', amount: '12345.5' }),
      /now: fee of 123\.455 EUR on 2026-02-10, which/,
    ],
    [
      'of parts of a yen',
      itemOf({ type: 'fee', amount: '150050', currency: 'JPY' }),
      /now: fee of 1500\.50 JPY on 2026-02-10, which/,
    ],
    ['of no number', itemOf({ type: 'fee', amount: 'much' }), /now: fee of much EUR on 2026-02-10, which/],
    [
      'of an evening that is the next day where the company is',
      { ...unbookable, date: '2026-02-09T23:30:00Z' },
      /now: card_purchase of 120\.00 EUR on 2026-02-10, which/,
    ],
    ['of no day', itemOf({ type: 'fee', amount: 'much', date: 'yesterday, at noon' }), /EUR on yesterday,, which/],
    [
      'with two problems',
      unbookableTwice,
      /: Line 1: account 0000 .* mapping rule\. Line 2: account 0001 .* mapping rule\. Undo the change/,
    ],
  ])('and has no lines fails under the other policy with a description: %s', (_, item, words) => {
    const planned = plan(item, standing(meal), 'fail');
    expect(planned).toMatchObject({ action: 'fail', failureType: 'validation_failure' });
    expect(reasonOf(planned)).toMatch(words);
  });

  it('and cannot be booked stays as it is, with the reason of the plan', () => {
    const planned = plan(unbookable, standing(meal));
    expect(planned).toMatchObject({ action: 'fail', failureType: 'account_unknown' });
    expect(reasonOf(planned)).toMatch(/^Line 1: account 0000 .* as it was exported before \(J-1\)\.$/);
  });

  it('and first needs a vendor keeps what is known of the books', () => {
    const known = standing(meal);
    expect(plan(ofNewVendor, known)).toMatchObject({ action: 'create-vendor', posting: known.posting });
  });
});

it('an item that cannot be booked fails with a message and an issue for each problem', () => {
  expect(plan(unbookableTwice, undefined)).toMatchObject({
    action: 'fail',
    failureType: 'account_unknown',
    messages: [
      { code: 'reason.account', parameters: { line: 1 } },
      { code: 'reason.account', parameters: { line: 2 } },
    ],
    issues: [
      { kind: 'account', reference: '0000' },
      { kind: 'account', reference: '0001' },
    ],
  });
});

it('an unreadable item fails, and the reason states what the books have of it', () => {
  const unreadable = [{ accountingEntryId: ID, unreadable: 'amount: is missing' }];
  const [unknown] = planChunk(unreadable, new Map(), contextWith(), digest);
  const [known] = planChunk(unreadable, new Map([[ID, standing(meal)]]), contextWith(), digest);
  for (const failed of [unknown, known]) {
    expect(failed).toMatchObject({
      action: 'fail',
      failureType: 'validation_failure',
      issues: [{ kind: 'unreadable', reference: 'entry' }],
    });
  }
  expect(reasonOf(unknown)).toMatch(/\(amount: is missing\)\. Please contact support\.$/);
  expect(reasonOf(known)).toMatch(/Please contact support\. Until then the books have it .* \(J-1\)\.$/);
});

function reasonOf(planned: PlannedItem | undefined): string {
  return planned?.action === 'fail' ? planned.failureReason : '';
}

it('a connector fault on one item fails that item only', () => {
  const fault = new TypeError('a mistake of ours');
  const broken = new Proxy(meal, {
    get: () => {
      throw fault;
    },
  });
  const items = [
    { accountingEntryId: 'broken', item: broken },
    { accountingEntryId: 'well', item: meal },
  ];
  const [failed, posted] = planChunk(items, new Map(), contextWith(), digest);
  expect(failed).toMatchObject({ action: 'fail', failureType: 'unexpected_failure', fault });
  expect(posted).toMatchObject({ action: 'post' });
});
