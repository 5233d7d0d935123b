import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import { failureOf } from './assertions.js';
import type { Contract } from './contract.js';

/** What the same key means when it is posted and looked up again, by level. */
export function keyClauses(contract: Contract): void {
  const { level } = contract;

  if (level === 'permanent-key' || level === 'expiring-key') {
    describe('a repeated key', () => {
      it('with the same content returns the existing entry', async () => {
        const group = contract.group();
        const first = await contract.post(group);
        const again = await contract.post(group);
        expect([first.outcome, again.outcome]).toEqual(['created', 'existed']);
        const { warnings, ...posted } = 'posted' in first ? first.posted : { warnings: undefined };
        expect(warnings).toBeDefined();
        expect(again).toMatchObject({ posted });
        expect(await contract.effects(group.key)).toBe(1);
      });

      it('with other content is a conflict that names the existing entry', async () => {
        const group = contract.group();
        const first = await contract.post(group);
        const outcome = await contract.post(contract.changed(group));
        const { key, contentDigest } = group;
        const entries = 'posted' in first ? first.posted.entries : undefined;
        expect(outcome).toMatchObject({ outcome: 'conflict', existing: { key, contentDigest, entries } });
        expect(await contract.effects(key)).toBe(1);
      });
    });
  }
  if (level === 'permanent-key') {
    it('a conflict shows the content that is in the books', async () => {
      const group = contract.group();
      await contract.post(group);
      const { accounts, openDay: postingDate } = contract.company;
      const { currency } = contract.entry();
      expect(await contract.post(contract.changed(group))).toMatchObject({
        existingContent: [
          {
            role: 'entry',
            postingDate,
            currency,
            lines: [
              { accountCode: accounts.expense, amountMinor: 10_000n },
              { accountCode: accounts.wallet, amountMinor: -10_000n },
            ],
          },
        ],
      });
    });
  }
  if (level === 'searchable-reference') {
    it.each([
      ['the same', 'existed'],
      ['other', 'conflict'],
    ] as const)('a key in use by %s content is unknown or reported as in use, not refused', async (_, taken) => {
      const group = contract.group();
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
      const again = await contract.post(taken === 'conflict' ? contract.changed(group) : group);
      expect(contract.takenOutcomes(taken)).toContain(again.outcome);
      expect(await contract.find(group.key)).toMatchObject({ contentDigest: group.contentDigest });
      expect(await contract.effects(group.key)).toBe(1);
    });
  }
  if (level !== 'none') {
    it('concurrent posts of the same key have one effect', async () => {
      const group = contract.group();
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => contract.post(group)));
      expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(await contract.effects(group.key)).toBe(1);
    });
  }
  lookUpClauses(contract);
}

function lookUpClauses(contract: Contract): void {
  if (contract.level === 'none') {
    it('a look-up by key never reports an absence', async () => {
      const group = contract.group();
      await contract.post(group);
      for (const keys of [[group.key], [randomUUID()]]) {
        const failure = await failureOf(contract.erp.findPosted(keys));
        expect(failure.name).toBe('ErpNotSearchable');
      }
    });
    return;
  }
  describe('a look-up by key', () => {
    it('finds what was posted, and nothing else', async () => {
      const entries = [contract.entry({ role: 'invoice' }), contract.entry({ role: 'payment' })];
      const [group, other] = [contract.group({ entries }), contract.group()];
      const outcome = await contract.post(group);
      await contract.post(other);
      expect(await contract.find(group.key)).toEqual('posted' in outcome ? outcome.posted : undefined);
      const keys = [group.key, randomUUID()];
      const found = await contract.erp.findPosted(keys);
      expect([...found.keys()]).toEqual([group.key]);
    });

    it('distinguishes keys created in the same moment', async () => {
      // Ids that begin with the time: only their last digits differ.
      const start = `0198c5a0-7e57-7abc-8def-${randomUUID().slice(-12, -1)}`;
      const [group, other] = [contract.group({ key: `${start}0` }), contract.group({ key: `${start}1` })];
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
      await contract.find(group.key);
      expect([...(await contract.erp.findPosted([group.key, other.key])).keys()]).toEqual([group.key]);
      expect(await contract.post(other)).toMatchObject({ outcome: 'created' });
      expect([await contract.effects(group.key), await contract.effects(other.key)]).toEqual([1, 1]);
    });

    it('accepts more keys than one request does', async () => {
      const group = contract.group();
      await contract.post(group);
      await contract.find(group.key);
      const keys = [
        ...Array.from({ length: contract.harness.capabilities.limits.groupsPerCall }, () => randomUUID()),
        group.key,
      ];
      const found = await contract.erp.findPosted(keys);
      expect([...found.keys()]).toEqual([group.key]);
    });

    it('has no result without a response', async () => {
      await failureOf(contract.lose('request', (erp) => erp.findPosted([randomUUID()])));
    });
  });
}
