import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import type { CreateVendorOutcome } from '../../connector/erp/erp-ledger.js';
import type { Contract } from './contract.js';
import { atEachExchange, LOSSES } from './sweep.clauses.js';

export function vendorClauses(contract: Contract): void {
  const vendorsNamed = async (name: string) =>
    (await contract.erp.loadMasterData())?.vendors.filter((vendor) => vendor.name === name);
  const newVendor = () => ({ id: randomUUID(), name: `Bolt OÜ ${randomUUID()}`, country: 'EE' });
  /** As the connector writes it. */
  const keyOf = ({ id }: { readonly id: string }) => `platform-vendor-${id}`;
  const vendorOf = (outcome: CreateVendorOutcome) => ('vendor' in outcome ? outcome.vendor : undefined);

  describe('a vendor', () => {
    it('is created once per key', async () => {
      const vendor = newVendor();
      const create = () => contract.erp.createVendor(vendor, keyOf(vendor));
      const [first, second] = [await create(), await create()];
      expect([first.outcome, second.outcome]).toEqual(['created', 'existed']);
      expect(vendorOf(first)).toMatchObject({ name: vendor.name, country: 'EE', blocked: false });
      expect(vendorOf(second)).toEqual(vendorOf(first));
      expect(await vendorsNamed(vendor.name)).toEqual([vendorOf(first)]);
    });

    it.each(['request', 'answer'] as const)('is created once when its %s is lost', async (part) => {
      const vendor = newVendor();
      const lost = await contract.lose(part, (erp) => erp.createVendor(vendor, keyOf(vendor)));
      expect(lost).toMatchObject({ outcome: 'unavailable' });
      expect(vendorOf(await contract.erp.createVendor(vendor, keyOf(vendor)))?.name).toBe(vendor.name);
      expect(await vendorsNamed(vendor.name)).toHaveLength(1);
    });

    it.each(LOSSES)(
      'is created once when it is cut off at each request in turn, and %s is lost',
      async (_, lost, after) => {
        await atEachExchange(contract, lost, after, () => {
          const vendor = newVendor();
          return {
            act: (erp) => erp.createVendor(vendor, keyOf(vendor)),
            settle: async (said) => {
              expect(['created', 'existed', 'unavailable']).toContain(said.outcome);
              const again = await contract.erp.createVendor(vendor, keyOf(vendor));
              expect(['created', 'existed']).toContain(again.outcome);
              expect(vendorOf(again)).toMatchObject({ name: vendor.name, blocked: false });
              expect(vendorOf(said) ?? vendorOf(again)).toEqual(vendorOf(again));
              expect(await vendorsNamed(vendor.name)).toEqual([vendorOf(again)]);
            },
          };
        });
      },
    );

    contract.itWith('changes since')(
      'is in lists that were read before it, once they are brought up to date',
      async () => {
        const erp = contract.connectWithLists();
        const { masterData } = await erp.reuseMasterData(0);
        expect((await erp.reuseMasterData(0)).masterData).toEqual(masterData);
        const vendor = newVendor();
        const created = vendorOf(await contract.erp.createVendor(vendor, keyOf(vendor)));
        const updated = await erp.reuseMasterData(0);
        expect(updated.masterData?.vendors.filter(({ name }) => name === vendor.name)).toEqual([created]);
        expect(updated.masterData).toEqual(await contract.erp.loadMasterData());
      },
    );

    it('can be posted to once it is created', async () => {
      const vendor = newVendor();
      const created = vendorOf(await contract.erp.createVendor(vendor, keyOf(vendor)));
      const lines = [
        contract.line('expense', 500n),
        contract.line('payables', -500n, created && { vendor: { id: created.id, code: created.code } }),
      ];
      const group = contract.group({ entries: [contract.entry({ role: 'invoice' }, lines)] });
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
      const [entry] = await contract.entriesUnder(group.key);
      expect(entry?.lines[1]?.vendorCode).toBe(created?.code);
    });
  });
}
