import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import type { PostingGroup } from '../../connector/erp/erp-ledger.js';
import type { Contract } from './contract.js';

/** Taking a group out of the balances, and what may be posted under its key then. */
export function reversalClauses(contract: Contract): void {
  if (contract.without('reversal') !== undefined) {
    it('a reversal by key is refused and changes nothing', async () => {
      const group = contract.group();
      await contract.post(group);
      expect(await contract.reverse(group.key)).toMatchObject({
        outcome: 'refused',
        message: expect.stringMatching(/\w/),
      });
      expect(await contract.entriesUnder(group.key)).toHaveLength(1);
    });
    return;
  }
  reverseClauses(contract);
  revisionClauses(contract);
  lostClauses(contract);
}

/** Posted, and as far as the search goes to be seen. */
async function posted(contract: Contract, group: PostingGroup = contract.group()): Promise<PostingGroup> {
  expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
  await contract.find(group.key, ({ revision }) => revision === group.revision);
  return group;
}

function reverseClauses(contract: Contract): void {
  const findReversed = (key: string) => contract.find(key, ({ reversed }) => reversed);

  describe('a reversal', () => {
    it('nets the books to zero, and a second one changes nothing', async () => {
      const entries = [contract.entry({ role: 'invoice' }), contract.entry({ role: 'payment' })];
      const { key } = await posted(contract, contract.group({ entries }));
      expect(await contract.reverse(key)).toEqual({ outcome: 'reversed' });
      expect(await contract.balances(key)).toEqual(new Map());
      expect(await findReversed(key)).toMatchObject({ revision: 1, reversed: true });
      const booked = await contract.entriesUnder(key);
      expect(booked).toHaveLength(4);

      expect(await contract.reverse(key)).toEqual({ outcome: 'reversed' });
      expect(await contract.entriesUnder(key)).toEqual(booked);
    });

    it('nets to zero in the foreign currency and in base', async () => {
      const lines = [
        contract.line('expense', 3_003n, { baseMinor: 2_739n }),
        contract.line('expense', 0n, { baseMinor: 1n }),
        contract.line('wallet', -3_003n, { baseMinor: -2_740n }),
      ];
      const entries = [contract.entry({ currency: contract.company.rate.from }, lines)];
      const { key } = await posted(contract, contract.group({ entries }));
      await contract.reverse(key);
      expect(await contract.balances(key)).toEqual(new Map());
    });

    contract.itWith('drafts')('discards drafts', async () => {
      const entries = [contract.entry({ state: 'draft' })];
      const { key } = await posted(contract, contract.group({ entries }));
      expect(await contract.reverse(key)).toEqual({ outcome: 'reversed' });
      expect(await contract.entriesUnder(key)).toEqual([]);
      expect(await findReversed(key)).toMatchObject({ reversed: true });
      expect(await contract.reverse(key)).toEqual({ outcome: 'reversed' });
    });

    it('has one outcome per key, in their order, for more keys than one request takes', async () => {
      const [first, last] = [await posted(contract), await posted(contract)];
      const absent = Array.from({ length: contract.harness.capabilities.limits.groupsPerCall }, () => randomUUID());
      const keys = [first.key, ...absent, last.key, randomUUID()];
      const outcomes = await contract.erp.reverse(keys);
      const expected = ['reversed', ...absent.map(() => 'absent'), 'reversed', 'absent'];
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(expected);
    });

    it.each(['request', 'answer'] as const)('whose %s is lost is repeated without harm', async (part) => {
      const { key } = await posted(contract);
      const lost = await contract.lose(part, (erp) => contract.reverse(key, erp));
      expect(lost).toMatchObject({ outcome: 'unavailable', failure: { message: expect.any(String) } });
      expect((await contract.entriesUnder(key)).length).toBe(part === 'request' ? 1 : 2);
      expect(await contract.reverse(key)).toEqual({ outcome: 'reversed' });
      expect(await contract.balances(key)).toEqual(new Map());
      expect(await contract.entriesUnder(key)).toHaveLength(2);
    });

    it('keeps the key for what was posted under it: the same revision is not posted again', async () => {
      const group = await posted(contract);
      await contract.reverse(group.key);
      const again = await contract.post(group);
      expect(contract.takenOutcomes('existed')).toContain(again.outcome);
      expect('posted' in again ? again.posted : await findReversed(group.key)).toMatchObject({
        revision: 1,
        reversed: true,
      });
      expect(await contract.balances(group.key)).toEqual(new Map());
    });
  });
}

function revisionClauses(contract: Contract): void {
  const next = (group: PostingGroup): PostingGroup => ({
    ...contract.changed(group),
    revision: group.revision + 1,
  });
  const reversed = async () => {
    const group = await posted(contract);
    expect(await contract.reverse(group.key)).toEqual({ outcome: 'reversed' });
    return group;
  };

  describe('the next revision of a key', () => {
    it('is refused while the previous one stands', async () => {
      const group = await posted(contract);
      expect(await contract.post(next(group))).toMatchObject({ outcome: 'refused' });
      expect(await contract.effects(group.key)).toBe(1);
    });

    it('is posted once the previous one is reversed, and is then returned for the key', async () => {
      const group = await reversed();
      const { accounts } = contract.company;
      const second = next(group);
      expect(await contract.post(second)).toMatchObject({
        outcome: 'created',
        posted: { key: group.key, revision: 2, reversed: false, contentDigest: second.contentDigest },
      });
      expect(await contract.balances(group.key)).toEqual(
        new Map([
          [accounts.expense, [12_000n, 12_000n]],
          [accounts.wallet, [-12_000n, -12_000n]],
        ]),
      );
      expect(await contract.find(group.key, ({ revision }) => revision === 2)).toMatchObject({
        revision: 2,
        reversed: false,
        contentDigest: second.contentDigest,
      });
    });

    contract.itWith('drafts')('follows a discarded draft as well', async () => {
      const entries = [contract.entry({ state: 'draft' })];
      const group = await posted(contract, contract.group({ entries }));
      await contract.reverse(group.key);
      expect(await contract.post(next(group))).toMatchObject({ outcome: 'created', posted: { revision: 2 } });
    });

    it('is neither undone nor duplicated by a late repetition of the previous one', async () => {
      const group = await reversed();
      await posted(contract, next(group));
      const late = await contract.post(group);
      expect(contract.takenOutcomes('conflict')).toContain(late.outcome);
      expect(await contract.effects(group.key)).toBe(2);
      const { expense } = contract.company.accounts;
      expect((await contract.balances(group.key)).get(expense)).toEqual([12_000n, 12_000n]);
    });

    it.each(['request', 'answer'] as const)('has one effect when its %s is lost', async (part) => {
      const group = next(await reversed());
      const firstSentAt = Date.now();
      const lost = await contract.lose(part, (erp) => contract.post(group, erp));
      const settled = await contract.settle({ group, firstSentAt }, lost);
      expect(settled).toMatchObject({ posted: { revision: 2, reversed: false } });
      expect(await contract.effects(group.key)).toBe(2);
    });
  });
}

/** What was posted, and the ERP has lost: as in books that were restored from a backup. To them the key is a new one. */
function lostClauses(contract: Contract): void {
  const second = () => contract.group({ revision: 2 });
  const expense = async (key: string) => {
    const balances = await contract.balances(key);
    return balances.get(contract.company.accounts.expense);
  };

  describe('a revision whose predecessors the ERP has lost', () => {
    it('is posted, and is then returned for the key', async () => {
      const group = second();
      expect(await contract.post(group)).toMatchObject({
        outcome: 'created',
        posted: { key: group.key, revision: 2, reversed: false },
      });
      expect(await contract.find(group.key)).toMatchObject({ revision: 2, reversed: false });
    });

    it('has one effect, whether it is repeated or a lost request arrives after it', async () => {
      const group = second();
      await posted(contract, group);
      const again = await contract.post(group);
      const late = await contract.post({ ...contract.changed(group), revision: 1 });
      expect(contract.takenOutcomes('existed')).toContain(again.outcome);
      expect(contract.takenOutcomes('conflict')).toContain(late.outcome);
      expect(await contract.effects(group.key)).toBe(1);
      expect(await expense(group.key)).toEqual([10_000n, 10_000n]);
    });

    it.each(['request', 'answer'] as const)('has one effect when its %s is lost', async (part) => {
      const group = second();
      const firstSentAt = Date.now();
      const lost = await contract.lose(part, (erp) => contract.post(group, erp));
      const settled = await contract.settle({ group, firstSentAt }, lost);
      expect(settled).toMatchObject({ posted: { revision: 2, reversed: false } });
      expect(await contract.effects(group.key)).toBe(1);
    });

    it('is refused while one of them stands, which was not lost after all', async () => {
      const group = await posted(contract);
      const third = { ...contract.changed(group), revision: 3 };
      expect(await contract.post(third)).toMatchObject({ outcome: 'refused' });
      expect(await contract.effects(group.key)).toBe(1);
    });

    it('follows an older one that is reversed', async () => {
      const group = await posted(contract);
      await contract.reverse(group.key);
      const third = { ...contract.changed(group), revision: 3 };
      expect(await contract.post(third)).toMatchObject({ outcome: 'created', posted: { revision: 3 } });
      expect(await expense(group.key)).toEqual([12_000n, 12_000n]);
    });
  });
}
