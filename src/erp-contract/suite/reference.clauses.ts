import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import type { ConnectedErp } from '../../connector/erp/connected-erp.js';
import { toErpCompanyId } from '../../kernel/ids.js';
import { describe, it } from '../clauses.js';
import { failureOf, present } from './assertions.js';
import type { Contract } from './contract.js';

const LISTS: readonly (readonly [name: string, read: (erp: ConnectedErp) => Promise<unknown>])[] = [
  ['accounts', (erp) => erp.accounts()],
  ['tax codes', (erp) => erp.taxCodes()],
  ['dimensions', (erp) => erp.dimensions()],
  ['vendors', (erp) => erp.vendors()],
];

/** The lists that the platform's users choose from, and that their choices come back by. */
export function referenceClauses(contract: Contract): void {
  describe('reference data', () => {
    it('lists accounts under the external ids that postings use, inactive ones too', async () => {
      const { accounts } = contract.company;
      const listed = present(await contract.erp.accounts(), 'accounts');
      const booked = present(await contract.erp.loadMasterData(), 'master data').accounts;
      const idsByCode = (some: readonly { readonly code: string; readonly externalId: string }[]) =>
        Object.fromEntries(some.map(({ code, externalId }) => [code, externalId]));
      expect(idsByCode(listed)).toEqual(idsByCode(booked));
      expect(new Set(listed.map(({ externalId }) => externalId)).size).toBe(listed.length);
      expect(listed.find(({ code }) => code === accounts.expense)).toMatchObject({ active: true });
      expect(listed.find(({ code }) => code === accounts.inactive)).toMatchObject({ active: false });
    });

    it('returns the rate of each tax code as a share', async () => {
      const listed = present(await contract.erp.taxCodes(), 'tax codes');
      expect(listed.find(({ code }) => code === contract.company.taxCode)).toMatchObject({ active: true });
      expect(listed.filter(({ rate }) => !/^(0(\.\d+)?|1(\.0+)?)$/.test(rate))).toEqual([]);
    });

    it.unless(contract.harness.capabilities.dimensions ? undefined : 'dimensions: not declared')(
      'lists dimensions with their values',
      async () => {
        const { dimension, value } = contract.company.dimension;
        const listed = present(await contract.erp.dimensions(), 'dimensions');
        const found = present(
          listed.find(({ code }) => code === dimension),
          `dimension ${dimension}`,
        );
        expect(found.values).toContainEqual(expect.objectContaining({ code: value, active: true }));
      },
    );

    it('lists vendors with whether entries may be posted to them', async () => {
      const { vendor, blockedVendor, functionalCurrency } = contract.company;
      const listed = present(await contract.erp.vendors(), 'vendors');
      const usable = (number: string) => listed.vendors.find((each) => each.number === number)?.usable;
      expect([listed.functionalCurrency, usable(vendor), usable(blockedVendor)]).toEqual([
        functionalCurrency,
        true,
        false,
      ]);
    });

    contract.itWith('vendors')('has a vendor that was created under the external id that it got', async () => {
      const externalId = randomUUID();
      const vendor = { id: randomUUID(), name: `Bolt OÜ ${externalId}`, externalId };
      const created = await contract.erp.createVendor(vendor, `platform-vendor-${vendor.id}`);
      const { code, externalId: kept } = present('vendor' in created ? created.vendor : undefined, 'the vendor');
      // An ERP without such a field keeps none.
      expect([undefined, externalId]).toContain(kept);
      const listed = present(await contract.erp.vendors(), 'vendors').vendors.filter(({ number }) => number === code);
      expect(listed.map((each) => [each.name, each.externalId])).toEqual([[vendor.name, kept]]);
    });

    it.each(LISTS)('%s: are empty for an unknown company', async (name, read) => {
      const company = toErpCompanyId('no-such-company');
      const found = await read(contract.erp.for({ company }));
      const isUndeclared = name === 'dimensions' && !contract.harness.capabilities.dimensions;
      expect(found).toEqual(isUndeclared ? [] : undefined);
    });

    it.each(LISTS)('%s: have no result without a response', async (_, read) => {
      const { seen } = await contract.behindLine(() => undefined, read);
      if (seen.length > 0) {
        await failureOf(contract.lose('request', read));
      }
    });
  });
}
