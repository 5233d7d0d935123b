import { expect, it } from '@jest/globals';
import { plannedEntry, plannedLine, postingGroup } from '../../../erp-contract/posting-group.builder.js';
import type { Clock } from '../../../kernel/clock.js';
import type { ErpCall } from '../erp-call.js';
import type { PostingGroup } from '../erp-ledger.js';
import { MAX_LINES, TrytonLedger, type TrytonParts } from './tryton-ledger.js';

const call = {} as ErpCall;

/** @returns the keys that went into each request, and what was said of each group */
async function posted(...lineCounts: readonly number[]) {
  const requests: string[][] = [];
  const steps = {
    drafts: (_: unknown, groups: readonly PostingGroup[]) => {
      requests.push(groups.map(({ key }) => key));
      return Promise.resolve(groups.map(({ key }) => ({ refused: key })));
    },
    create: () => Promise.resolve([]),
    find: () => Promise.resolve([]),
    findLeftOver: () => Promise.resolve([]),
  };
  const ledger = new TrytonLedger({ steps } as unknown as TrytonParts, { now: () => new Date(0) } as Clock);
  const groups = lineCounts.map((count, index) => {
    const lines = Array.from({ length: count }, () => plannedLine('5410', 1n));
    return postingGroup(index.toString(), { entries: [plannedEntry(lines)] });
  });
  return { requests, outcomes: await ledger.post(call, groups) };
}

it('groups with many lines go out in several requests, so that none is longer than Tryton answers in time', async () => {
  const { requests, outcomes } = await posted(2, MAX_LINES - 2, 1, MAX_LINES, MAX_LINES + 50, 2, 2);
  expect(requests).toEqual([['0', '1'], ['2'], ['3'], ['4'], ['5', '6']]);
  expect(outcomes.map((outcome) => 'message' in outcome && outcome.message)).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
  ]);
});

it('no groups go out in no request', async () => {
  expect(await posted()).toEqual({ requests: [], outcomes: [] });
});
