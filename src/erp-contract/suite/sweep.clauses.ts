import { expect } from 'expect';
import type { PlannedEntry } from '../../connector/bookkeeping/item/posting-plan.js';
import type { ConnectedErp } from '../../connector/erp/connected-erp.js';
import type { PostingGroup, PostOutcome } from '../../connector/erp/erp-ledger.js';
import { describe, it } from '../clauses.js';
import type { Disturbance, Exchange } from '../line.js';
import { present, when } from './assertions.js';
import type { Contract } from './contract.js';

/** What is lost at an exchange; `after`: nothing passes any more, as when the process dies. */
export const LOSSES = [
  ['the request', 'request', false],
  ['the answer', 'answer', false],
  ['the answer and all that follows', 'answer', true],
] as const;

type Disturb = (exchange: Exchange) => Disturbance | undefined;

/** An adapter is cut off at its first exchange, at its second, and so on to the last. */
export function sweepClauses(contract: Contract): void {
  describe('cut off at each request in turn', () => {
    it.each(LOSSES)('where %s is lost: a post has one effect for each group', async (_, lost, after) => {
      await atEachExchange(contract, lost, after, () => {
        const groups = twoGroups(contract);
        return {
          act: (erp) => erp.post(groups),
          settle: (outcomes, firstSentAt) => settleEach(contract, groups, outcomes, firstSentAt),
        };
      });
    });

    contract.itWith('reversal').each(LOSSES)('where %s is lost: a reversal has one effect', async (_, lost, after) => {
      await atEachExchange(contract, lost, after, async () => {
        const groups = twoGroups(contract);
        const keys = groups.map(({ key }) => key);
        await contract.erp.post(groups);
        for (const key of keys) {
          await contract.find(key);
        }
        return {
          act: (erp) => erp.reverse(keys),
          settle: async () => {
            expect(await contract.erp.reverse(keys)).toEqual(keys.map(() => ({ outcome: 'reversed' })));
            for (const { key, entries } of groups) {
              expect(await contract.balances(key)).toEqual(new Map());
              expect(await contract.entriesUnder(key)).toHaveLength(2 * entries.length);
            }
          },
        };
      });
    });
  });
}

interface Trial<Result> {
  readonly act: (erp: ConnectedErp) => Promise<Result>;
  readonly settle: (result: Result, firstSentAt: number) => Promise<void>;
}

/** Cuts what is prepared off at its first exchange, at its second, and so on to the last. */
export async function atEachExchange<Result>(
  contract: Contract,
  lost: 'request' | 'answer',
  after: boolean,
  prepare: () => Trial<Result> | Promise<Trial<Result>>,
): Promise<void> {
  const attempt = async (disturb: Disturb) => {
    const { act, settle } = await prepare();
    const firstSentAt = Date.now();
    const { result, seen } = await contract.behindLine(disturb, act);
    return { seen, settled: () => settle(result, firstSentAt) };
  };
  const undisturbed = await attempt(() => undefined);
  await undisturbed.settled();
  for (const { index: at, name } of undisturbed.seen) {
    await when(
      `exchange ${(at + 1).toString()} of ${undisturbed.seen.length.toString()}, ${name}, is lost`,
      async () => {
        const { settled } = await attempt(({ index }) =>
          index === at || (after && index > at) ? { lost } : undefined,
        );
        await settled();
      },
    );
  }
}

/** One entry, and a pair. */
function twoGroups(contract: Contract): readonly PostingGroup[] {
  const entry = (role: PlannedEntry['role'], minor: bigint) => contract.entry({ role }, contract.balanced(minor));
  return [
    contract.group({ entries: [entry('entry', 1_000n)] }),
    contract.group({ entries: [entry('invoice', 2_000n), entry('payment', -2_000n)] }),
  ];
}

async function settleEach(
  contract: Contract,
  groups: readonly PostingGroup[],
  outcomes: readonly PostOutcome[],
  firstSentAt: number,
): Promise<void> {
  for (const [index, group] of groups.entries()) {
    const outcome = present(outcomes[index], 'one outcome for each group');
    expect(['created', 'existed', 'unknown', 'not-sent']).toContain(outcome.outcome);
    const settled = await contract.settle({ group, firstSentAt }, outcome);
    const roles = (await contract.entriesUnder(group.key)).map(({ role }) => role);
    const planned = group.entries.map(({ role }) => role);
    if (settled.outcome === 'unknown' && contract.level === 'none') {
      // Left to a person; half of it is nowhere.
      expect([[], planned]).toContainEqual(roles);
    } else {
      expect(roles).toEqual(planned);
    }
  }
}
