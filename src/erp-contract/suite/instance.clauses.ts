import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import type { PostingGroup } from '../../connector/erp/erp-ledger.js';
import { describe, it } from '../clauses.js';
import type { Contract } from './contract.js';

/** Two workers, each with an instance of the adapter. */
export function instanceClauses(contract: Contract): void {
  const groups = (count: number) => Array.from({ length: count }, (): PostingGroup => contract.group());
  const workers = () => [contract.connect(), contract.connect()] as const;

  describe('two concurrent instances', () => {
    it('post different groups, each once', async () => {
      const [mine, yours] = [groups(3), groups(3)];
      const [one, other] = workers();
      const outcomes = (await Promise.all([one.post(mine), other.post(yours)])).flat();
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(outcomes.map(() => 'created'));
      for (const { key } of [...mine, ...yours]) {
        expect(await contract.effects(key)).toBe(1);
      }
    });

    it.unless(contract.level === 'none' ? 'no key is recognized' : undefined)(
      'post the same groups: each has one effect, and no instance says that it failed',
      async () => {
        const same = groups(3);
        const firstSentAt = Date.now();
        const all = await Promise.all(workers().map((worker) => worker.post(same)));
        for (const [index, group] of same.entries()) {
          const outcomes = all.flatMap((outcomes) => outcomes[index] ?? []);
          expect(outcomes).toHaveLength(2);
          const said = outcomes.map(({ outcome }) => outcome);
          expect(said.filter((outcome) => outcome === 'created').length).toBeLessThanOrEqual(1);
          expect(said.filter((outcome) => ['refused', 'conflict'].includes(outcome))).toEqual([]);
          for (const outcome of outcomes.filter(({ outcome: each }) => each !== 'created')) {
            await contract.settle({ group, firstSentAt }, outcome);
          }
          expect(await contract.effects(group.key)).toBe(1);
        }
      },
    );

    contract.itWith('reversal')('reverse the same group once', async () => {
      const group = contract.group();
      await contract.post(group);
      await contract.find(group.key);
      await Promise.all(workers().map((worker) => worker.reverse([group.key])));
      expect(await contract.reverse(group.key)).toEqual({ outcome: 'reversed' });
      expect(await contract.entriesUnder(group.key)).toHaveLength(2);
      expect(await contract.balances(group.key)).toEqual(new Map());
    });

    contract.itWith('vendors')('create a vendor once', async () => {
      const vendor = { id: randomUUID(), name: `Bolt OÜ ${randomUUID()}`, country: 'EE' };
      await Promise.all(workers().map((worker) => worker.createVendor(vendor, `platform-vendor-${vendor.id}`)));
      const created = await contract.erp.createVendor(vendor, `platform-vendor-${vendor.id}`);
      expect(created).toMatchObject({ outcome: 'existed', vendor: { name: vendor.name } });
      const all = await contract.erp.loadMasterData();
      expect(all?.vendors.filter(({ name }) => name === vendor.name)).toHaveLength(1);
    });
  });
}
