import { describe, expect, it } from '@jest/globals';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import { classifyEntry } from './classify-entry.js';
import { classifyGroup } from './classify-group.js';
import { classifyJob } from './classify-job.js';
import { DISCREPANCY_CLASSES, type DiscrepancyClass, type Repair } from './discrepancy-class.js';
import {
  dimensionKey,
  type ComparedEntry,
  type ErpGroup,
  type ErpSource,
  type PlatformSource,
  type RecordedPosting,
  type RecordSource,
  type ComparedSources,
} from './compared-sources.js';

const plain = { taxCode: undefined, vendorCode: undefined, dimensions: {} };
const vatOf = (taxableMinor: bigint) => ({
  ...{ place: 'expense' as const, reverseCharge: false, rate: '0.25', deductible: '0' },
  ...{ taxableMinor, taxableBaseMinor: taxableMinor, taxMinor: 2_000n, taxBaseMinor: 2_000n },
});
const expense = { ...plain, accountCode: '5410', amountMinor: 10_000n };
const wallet = { ...plain, accountCode: '1935', amountMinor: -10_000n };
const entry: ComparedEntry = {
  role: 'entry',
  state: 'posted',
  postingDate: '2026-03-02' as LocalDate,
  currency: 'EUR' as CurrencyCode,
  lines: [expense, wallet],
};
const group: ErpGroup = {
  key: 'x',
  revision: 1,
  contentDigest: 'd1',
  entries: [{ ...entry, id: 'J-1' }],
};
const posting: RecordedPosting = {
  revision: 1,
  state: 'posted',
  ofThisJob: true,
  lateEffect: false,
  lost: false,
  externalId: 'J-1',
  contentDigest: 'd1',
  entries: [entry],
};
const successful = { state: 'successful', externalId: 'J-1', reportRefused: false } as const;
const failed = { state: 'failed', externalId: undefined, reportRefused: false } as const;
const pending = { state: 'pending', externalId: undefined, reportRefused: false } as const;
const record: RecordSource = { jobState: 'completed', item: successful, posting, isNewest: true };
const platform: PlatformSource = {
  jobStatus: 'completed',
  item: { status: 'successful', externalId: 'J-1' },
};
const codes = {
  vendors: new Set(['V-1']),
  dimensionValues: new Set([dimensionKey('department', 'sales')]),
};

interface Change {
  readonly platform?: Partial<PlatformSource>;
  readonly item?: RecordSource['item'];
  readonly record?: Partial<RecordSource>;
  readonly posting?: Partial<RecordedPosting> | null;
  readonly erp?: ErpSource | readonly ErpGroup[];
}

function sources(change: Change): ComparedSources {
  const erp = change.erp ?? [group];
  return {
    accountingEntryId: 'x',
    platform: { ...platform, ...change.platform },
    record: {
      ...record,
      ...('item' in change && { item: change.item }),
      ...('posting' in change && { posting: change.posting ? { ...posting, ...change.posting } : undefined }),
      ...change.record,
    },
    erp: 'kind' in erp ? erp : { kind: 'groups', groups: erp },
  };
}

const reportedAs = (status: string) => ({ item: { status, externalId: undefined } });
const booked = (change: Partial<ComparedEntry>): readonly ErpGroup[] => [
  { ...group, entries: [{ ...entry, ...change, id: 'J-1' }] },
];
const beside = (settlementOpen: boolean | undefined): readonly ErpGroup[] => [
  { ...group, entries: [{ ...entry, id: 'J-1', settlementOpen }] },
];
const planned = (change: Partial<ComparedEntry>) => ({ entries: [{ ...entry, ...change }] });
const unreadBy = (jobState: RecordSource['jobState']): Change => ({
  ...{ item: undefined, record: { jobState }, posting: null, erp: [], platform: reportedAs('abandoned') },
});
const NOT_IN_BOOKS: readonly ErpGroup[] = [];
const REVERSED = booked({ state: 'reversed' });

const ON_ENTRIES: readonly (readonly [DiscrepancyClass, Repair | undefined, Change])[] = [
  ['missing-in-record', undefined, { item: undefined, posting: null, erp: NOT_IN_BOOKS }],
  ['missing-in-record', undefined, unreadBy('expired')],
  ['missing-on-platform', undefined, { platform: { item: undefined } }],
  ['posted-not-reported', undefined, { platform: reportedAs('abandoned') }],
  ['posted-not-reported', 'report-again', { platform: { jobStatus: 'in_progress', ...reportedAs('pending') } }],
  [
    'failure-not-reported',
    undefined,
    { item: failed, posting: null, erp: NOT_IN_BOOKS, platform: reportedAs('abandoned') },
  ],
  ['reported-as-failed', undefined, { platform: reportedAs('failed') }],
  ['reported-as-successful', undefined, { item: failed, posting: null, erp: NOT_IN_BOOKS }],
  ['link-differs', undefined, { platform: { item: { status: 'successful', externalId: 'J-2' } } }],
  ['link-differs', undefined, { item: pending, platform: { item: { status: 'successful', externalId: 'J-2' } } }],
  [
    'expired-with-posted-entry',
    undefined,
    { item: pending, record: { jobState: 'expired' }, platform: reportedAs('abandoned') },
  ],
  ['unknown-outcome', 'look-up', { item: failed, platform: reportedAs('failed'), posting: { state: 'uncertain' } }],
  [
    'unknown-outcome',
    undefined,
    { item: failed, platform: reportedAs('failed'), posting: { state: 'sent' }, erp: { kind: 'not-verifiable' } },
  ],
  ['reported-not-posted', undefined, { posting: null, erp: NOT_IN_BOOKS }],
  ['reported-not-posted', undefined, { item: pending, posting: null, erp: NOT_IN_BOOKS }],
  ['posted-not-recorded', 'adopt', { posting: null }],
  ['posted-not-recorded', 'adopt', { erp: [{ ...group, revision: 2, contentDigest: 'd2' }] }],
  ['posted-not-recorded', 'adopt', { posting: { state: 'reversed' }, erp: [{ ...group, revision: 2 }] }],
  ['posted-not-recorded', 'adopt', { posting: { state: 'reversed', lost: true } }],
  ['posted-not-recorded', undefined, { posting: { state: 'rejected', contentDigest: 'd2' } }],
  ['failed-but-posted', undefined, { item: failed, platform: reportedAs('failed') }],
  ['late-effect', undefined, { item: failed, platform: reportedAs('failed'), posting: { lateEffect: true } }],
  ['deleted-in-erp', undefined, { erp: NOT_IN_BOOKS }],
  ['deleted-in-erp', undefined, { posting: { state: 'reversed', lost: true }, erp: NOT_IN_BOOKS }],
  ['deleted-in-erp', undefined, { posting: { revision: 2 }, erp: REVERSED }],
  ['reversed-in-erp', undefined, { erp: REVERSED }],
  ['reversed-in-erp', undefined, { posting: { state: 'reversed' }, erp: REVERSED }],
  ['reversed-in-erp', undefined, { posting: { state: 'reversed' }, erp: NOT_IN_BOOKS }],
  ['reversed-in-erp', undefined, { posting: { state: 'reversed', lost: true }, erp: REVERSED }],
  ['reversed-in-erp', undefined, { posting: planned({ state: 'draft' }), erp: booked({ state: 'discarded' }) }],
  [
    'partly-reversed-in-erp',
    undefined,
    { erp: [{ ...group, entries: [...group.entries, { ...entry, id: 'J-2', state: 'reversed' }] }] },
  ],
  ['stands-though-reversed', undefined, { posting: { state: 'reversed' } }],
  ['stands-though-reversed', undefined, { posting: { state: 'reversed', lost: true, contentDigest: 'd2' } }],
  ['stands-though-reversed', undefined, { posting: { state: 'rejected', revision: 2 } }],
  ['duplicate-in-erp', undefined, { erp: [group, { ...group, revision: 2 }] }],
  ['altered-in-erp', undefined, { erp: [{ ...group, contentDigest: 'd2' }] }],
  ['currency-drift', undefined, { erp: booked({ currency: 'SEK' as CurrencyCode }) }],
  [
    'amount-drift',
    undefined,
    {
      erp: booked({
        lines: [
          { ...expense, amountMinor: 10_001n },
          { ...wallet, amountMinor: -10_001n },
        ],
      }),
    },
  ],
  ['tax-drift', undefined, { erp: booked({ lines: [{ ...expense, taxCode: 'V25' }, wallet] }) }],
  [
    'tax-drift',
    undefined,
    {
      posting: planned({ lines: [{ ...expense, tax: vatOf(8_000n) }, wallet] }),
      erp: booked({ lines: [{ ...expense, tax: vatOf(8_001n) }, wallet] }),
    },
  ],
  [
    'tax-drift',
    undefined,
    {
      posting: planned({
        lines: [
          { ...expense, amountMinor: 8_000n, taxCode: 'V25' },
          { ...expense, accountCode: '2641', amountMinor: 2_000n },
          wallet,
        ],
      }),
      erp: booked({
        lines: [
          { ...expense, amountMinor: 8_500n, taxCode: 'V25' },
          { ...expense, accountCode: '2641', amountMinor: 1_500n },
          wallet,
        ],
      }),
    },
  ],
  ['account-drift', undefined, { erp: booked({ lines: [{ ...expense, accountCode: '5420' }, wallet] }) }],
  ['date-drift', undefined, { erp: booked({ postingDate: '2026-03-03' as LocalDate }) }],
  ['vendor-drift', undefined, { erp: booked({ lines: [{ ...expense, vendorCode: 'V-1' }, wallet] }) }],
  [
    'dimension-drift',
    undefined,
    { erp: booked({ lines: [{ ...expense, dimensions: { department: 'sales' } }, wallet] }) },
  ],
  ['state-drift', undefined, { erp: booked({ state: 'draft' }) }],
  ['settlement-open', 'settle', { posting: planned({ settles: true }), erp: beside(true) }],
  [
    'vendor-orphaned',
    undefined,
    {
      posting: planned({ lines: [{ ...expense, vendorCode: 'V-9' }, wallet] }),
      erp: booked({ lines: [{ ...expense, vendorCode: 'V-9' }, wallet] }),
    },
  ],
  [
    'tag-orphaned',
    undefined,
    {
      posting: planned({ lines: [{ ...expense, dimensions: { department: 'gone' } }, wallet] }),
      erp: booked({ lines: [{ ...expense, dimensions: { department: 'gone' } }, wallet] }),
    },
  ],
];

const completed = { state: 'completed', numberOfItems: 2, items: 2, unannounced: false } as const;
const expired = { ...completed, state: 'expired', items: 0 } as const;
const shown = (status: string) => ({ status, numberOfItems: 2 });
const ON_JOBS: readonly (readonly [DiscrepancyClass, Parameters<typeof classifyJob>])[] = [
  ['job-not-on-platform', [completed, undefined]],
  [
    'webhook-not-received',
    [
      { ...completed, unannounced: true },
      { status: 'completed', numberOfItems: 2 },
    ],
  ],
  ['verdict-not-delivered', [completed, { status: 'in_progress', numberOfItems: 2 }]],
  ['verdict-not-delivered', [completed, { status: 'pending', numberOfItems: 2 }]],
  ['verdict-differs', [completed, { status: 'failed', numberOfItems: 2 }]],
  [
    'verdict-differs',
    [
      { ...completed, state: 'expired' },
      { status: 'completed', numberOfItems: 2 },
    ],
  ],
  [
    'verdict-differs',
    [
      { ...completed, state: 'expired' },
      { status: 'in_progress', numberOfItems: 2 },
    ],
  ],
  [
    'verdict-differs',
    [
      { ...completed, state: 'closed_by_platform' },
      { status: 'pending', numberOfItems: 2 },
    ],
  ],
  ['item-count-differs', [completed, { status: 'completed', numberOfItems: 3 }]],
  [
    'item-count-differs',
    [
      { ...completed, items: 1 },
      { status: 'completed', numberOfItems: 2 },
    ],
  ],
];

describe('an entry', () => {
  it.each(ON_ENTRIES)('%s, repaired by %s', (expected, repair, change) => {
    expect(classifyEntry(sources(change), codes)).toEqual([{ class: expected, repair }]);
  });

  it.each<[string, Change]>([
    ['as all sources say', {}],
    ['that failed and is nowhere', { item: failed, posting: null, platform: reportedAs('failed'), erp: NOT_IN_BOOKS }],
    [
      'whose content an earlier job has posted',
      { item: failed, platform: reportedAs('failed'), posting: { ofThisJob: false } },
    ],
    ['that a later job has', { record: { isNewest: false }, platform: reportedAs('failed'), erp: NOT_IN_BOOKS }],
    ['of a job that the platform does not know', { platform: { jobStatus: undefined, item: undefined } }],
    [
      'of an expired job without an effect',
      {
        item: pending,
        record: { jobState: 'expired' },
        posting: null,
        erp: NOT_IN_BOOKS,
        platform: reportedAs('abandoned'),
      },
    ],
    ['of a job that we failed before its list was read', unreadBy('failed')],
    [
      'whose failure the platform has refused to take',
      {
        item: { ...failed, reportRefused: true },
        posting: null,
        platform: reportedAs('pending'),
        erp: NOT_IN_BOOKS,
      },
    ],
    ['whose draft a person has posted', { posting: planned({ state: 'draft' }) }],
    ['whose lines come in another order', { erp: booked({ lines: [wallet, expense] }) }],
    ['that was found and had no plan here', { posting: { entries: [] } }],
    ['that waits for what it was to settle', { posting: planned({ settles: true }), erp: beside(false) }],
    ['of an ERP that cannot say what is settled', { posting: planned({ settles: true }), erp: beside(undefined) }],
    ['that stands open by another person’s doing', { erp: beside(true) }],
    ['that an ERP without a search cannot show', { erp: { kind: 'not-verifiable' } }],
    [
      'that failed and was taken out of the books',
      { item: failed, platform: reportedAs('failed'), posting: { state: 'reversed' }, erp: REVERSED },
    ],
    [
      'that the platform knows as exported by a job whose end is not on record',
      { item: pending, record: { jobState: 'closed_by_platform' } },
    ],
  ])('%s has no discrepancy', (_, change) => {
    expect(classifyEntry(sources(change), codes)).toEqual([]);
  });
});

describe('a job', () => {
  it.each(ON_JOBS)('%s', (expected, given) => {
    expect(classifyJob(...given).map((finding) => finding.class)).toEqual([expected]);
  });

  it.each<[string, Parameters<typeof classifyJob>]>([
    ['that both have ended alike', [completed, { status: 'completed', numberOfItems: 2 }]],
    [
      'that the platform has ended without us',
      [
        { ...completed, state: 'closed_by_platform' },
        { status: 'failed', numberOfItems: 2 },
      ],
    ],
    ['that has not ended', [{ ...completed, state: 'running' }, undefined]],
    ['that expired before its list was read', [expired, shown('failed')]],
    ['that the platform shows as expired', [expired, shown('expired')]],
  ])('%s has no discrepancy', (_, given) => {
    expect(classifyJob(...given)).toEqual([]);
  });
});

describe('a group of the ERP', () => {
  const ours = { key: 'k', standing: true, accountingEntryId: 'x', installationId: 'mine' };
  it.each<[string, typeof ours, readonly string[], readonly string[]]>([
    ['that is unknown', ours, [], ['orphan-entry']],
    ['that copies one we know', ours, ['x'], ['duplicate-in-erp']],
    ['that we know', ours, ['k'], []],
    ['that is out of the balances', { ...ours, standing: false }, [], []],
    ['of another installation', { ...ours, installationId: 'other' }, [], []],
  ])('%s', (_, listed, known, expected) => {
    const found = classifyGroup(listed, 'mine', (key) => known.includes(key));
    expect(found.map((finding) => finding.class)).toEqual(expected);
  });
});

it('each class that a run finds by itself has its row', () => {
  const rows = [...ON_ENTRIES.map(([name]) => name), ...ON_JOBS.map(([name]) => name)];
  // Found by their absence from our record, and by adding up.
  const others: readonly DiscrepancyClass[] = ['job-not-received', 'orphan-entry', 'job-total-differs'];
  expect(new Set([...rows, ...others])).toEqual(new Set(DISCREPANCY_CLASSES));
});
