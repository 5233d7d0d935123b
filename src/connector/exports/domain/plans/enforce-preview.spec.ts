import { describe, expect, it } from '@jest/globals';
import { contextWith, itemOf, itemVendor, post } from '../../../bookkeeping/item/planning.fixtures.js';
import { enforcePreview } from './enforce-preview.js';
import type { KnownPosting } from './known-entry.js';
import { planChunk, type PlannedItem } from './plan-chunk.js';
import { planText } from './plan-text.js';

const ID = '0a0b0c0d-0000-4000-8000-000000000001';
const CHANGED_SINCE =
  'Something has changed since this entry was previewed, so it was not posted. Preview it again and commit that preview.';

const item = itemOf({ type: 'card_purchase', amount: '12500' });
const other = contextWith({ settings: { wallets: { EUR: '1936' } } });
const textOf = (context = contextWith()) => planText(post(item, context).entries);
const planned = planChunk([{ accountingEntryId: ID, item }], new Map(), contextWith(), String);

const posting: KnownPosting = {
  contentDigest: 'digest',
  externalId: 'J-1',
  externalUrl: 'erp://J-1',
  content: [],
  warnings: [],
};
const reposted: PlannedItem = {
  accountingEntryId: ID,
  action: 'repost',
  posting,
  revision: 2,
  contentDigest: 'other digest',
  entries: post(item).entries,
  warnings: [],
  replaced: 'J-1',
};

describe('what a committed preview allows', () => {
  it.each([
    ['anything without a preview', undefined, 'post'],
    ['what has the same plan', new Map([[ID, textOf()]]), 'post'],
    ['nothing with another plan', new Map([[ID, textOf(other)]]), 'fail'],
    ['nothing that was not in it', new Map<string, string>(), 'fail'],
  ])('is %s', (_, expected, action) => {
    expect(enforcePreview(planned, expected, String).map((one) => one.action)).toEqual([action]);
  });

  it('includes a repost with the same plan', () => {
    expect(enforcePreview([reposted], new Map([[ID, textOf()]]), String)).toEqual([reposted]);
  });

  it.each<PlannedItem>([
    { accountingEntryId: ID, action: 'report-existing', posting, warnings: [] },
    { accountingEntryId: ID, action: 'create-vendor', vendor: itemVendor('V-99'), posting: undefined },
    { accountingEntryId: ID, action: 'fail', failureType: 'account_unknown', failureReason: 'Too late.' },
  ])('includes every plan that posts nothing: $action', (one) => {
    expect(enforcePreview([one], new Map(), String)).toEqual([one]);
  });

  it.each([
    ['post', planned, CHANGED_SINCE],
    ['repost', [reposted], `${CHANGED_SINCE} Until then the books have it as it was exported before (J-1).`],
  ])('excludes any other plan to %s, which fails with an issue of its own', (_, items, failureReason) => {
    expect(enforcePreview(items, new Map(), String)).toMatchObject([
      {
        accountingEntryId: ID,
        action: 'fail',
        failureType: 'validation_failure',
        failureReason,
        issues: [{ kind: 'preview', reference: 'entry' }],
      },
    ]);
  });
});
