import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import type { ConnectedErp } from '../../connector/erp/connected-erp.js';
import type { PostingGroup, PostOutcome } from '../../connector/erp/erp-ledger.js';
import { present } from './assertions.js';
import type { Contract } from './contract.js';
import { settleInDoubt } from './settle-in-doubt.js';

/** A post of which no answer came, and what the level's remedy makes of it. */
export function unknownOutcomeClauses(contract: Contract): void {
  const lose = async (part: 'request' | 'answer', group: PostingGroup) => {
    const firstSentAt = Date.now();
    const outcome = await contract.lose(part, (erp) => contract.post(group, erp));
    return { outcome, firstSentAt };
  };
  const settle = (group: PostingGroup, firstSentAt: number, now?: () => number) =>
    settleInDoubt(contract.erp, { group, firstSentAt }, now);
  /** An adapter that looks again after a lost answer may know what happened to it. */
  const inDoubt = ['unknown', 'created', 'existed'];

  describe('a post without a response', () => {
    it('is unknown, and has one effect in the end', async () => {
      const group = contract.group();
      const { outcome, firstSentAt } = await lose('answer', group);
      expect(inDoubt).toContain(outcome.outcome);
      expect(await contract.effects(group.key)).toBe(1);
      const settled = await settle(group, firstSentAt);
      expect(settled.outcome).toBe(contract.level === 'none' ? 'unknown' : 'existed');
      expect(await contract.effects(group.key)).toBe(1);
    });

    if (contract.level !== 'none') {
      it('is resolved by the content that arrived, not by what would be sent now', async () => {
        const group = contract.group();
        const { firstSentAt } = await lose('answer', group);
        const settled = await settle(contract.changed(group), firstSentAt);
        expect(settled).toMatchObject({
          outcome: 'conflict',
          existing: { contentDigest: group.contentDigest },
        });
        expect(await contract.effects(group.key)).toBe(1);
      });
    }
  });

  it('a post that never arrives is not-sent or unknown, and has one effect in the end', async () => {
    const group = contract.group();
    const { outcome, firstSentAt } = await lose('request', group);
    expect(['not-sent', 'unknown']).toContain(outcome.outcome);
    expect(await contract.effects(group.key)).toBe(0);
    const settled = outcome.outcome === 'not-sent' ? await contract.post(group) : await settle(group, firstSentAt);
    // Without keys it cannot be distinguished from a lost response: it needs manual review, and is never posted.
    const leftAlone = contract.level === 'none' && outcome.outcome === 'unknown';
    expect(settled.outcome).toBe(leftAlone ? 'unknown' : 'created');
    expect(await contract.effects(group.key)).toBe(leftAlone ? 0 : 1);
  });

  it('a batch without a response is in doubt for each of its groups', async () => {
    const groups = [contract.group(), contract.group()];
    const post = (erp: ConnectedErp): Promise<readonly PostOutcome[]> => erp.post(groups);
    const outcomes = await contract.lose('answer', post);
    expect(outcomes.filter(({ outcome }) => !inDoubt.includes(outcome))).toEqual([]);
    expect(outcomes).toHaveLength(2);
  });

  if (contract.level === 'expiring-key') {
    deadKeyClauses(contract, lose, settle);
  }
}

type LoseResponse = (
  part: 'request' | 'answer',
  group: PostingGroup,
) => Promise<{ readonly outcome: PostOutcome; readonly firstSentAt: number }>;
type Settle = (group: PostingGroup, firstSentAt: number, now?: () => number) => Promise<PostOutcome>;

function deadKeyClauses(contract: Contract, lose: LoseResponse, settle: Settle): void {
  const { guarantee } = contract;
  const keyLifeMs = guarantee.level === 'expiring-key' ? guarantee.keyLifeMs : 0;

  it.unless(contract.harness.canOutliveKeys === true ? undefined : 'the harness cannot outlive keys').each([
    ['answer', 'existed'],
    ['request', 'created'],
  ] as const)('a key whose %s was lost is looked up after its life: %s, one effect', async (part, expected) => {
    const afterKeyLife = present(contract.started.afterKeyLife, 'afterKeyLife of the harness');
    const group = contract.group();
    const { firstSentAt } = await lose(part, group);
    const settled = await afterKeyLife(() => settle(group, firstSentAt, () => firstSentAt + keyLifeMs));
    expect(settled.outcome).toBe(expected);
    expect(await contract.effects(group.key)).toBe(1);
  });
}
