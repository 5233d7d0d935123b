import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import { toErpCompanyId } from '../../kernel/ids.js';
import { addDays } from '../../kernel/local-date.js';
import { currency } from '../posting-group.builder.js';
import { failureOf } from './assertions.js';
import type { Contract } from './contract.js';

export function readingClauses(contract: Contract): void {
  describe('reading', () => {
    it('reports the capabilities it was set up for', () => {
      expect(contract.erp.capabilities).toEqual(contract.harness.capabilities);
    });

    it('lists the company', async () => {
      const { id, name, registrationNumber } = contract.company;
      expect(await contract.erp.listCompanies()).toContainEqual({ id, name, registrationNumber });
    });

    it('loads the master data of the company', async () => {
      const { accounts, functionalCurrency, timeZone, taxCode, dimension, ...known } = contract.company;
      const books = await contract.erp.loadMasterData();
      expect(books).toMatchObject({ functionalCurrency, timeZone });
      expect(books?.descriptionLimit).toBeGreaterThan(0);
      for (const [use, code] of Object.entries(accounts)) {
        const found = books?.accounts.filter((account) => account.code === code);
        expect(found).toMatchObject([{ code, active: use !== 'inactive' }]);
      }
      expect(books?.taxCodes).toContainEqual(expect.objectContaining({ code: taxCode, active: true }));
      expect(books?.dimensions.find(({ code }) => code === dimension.dimension)).toMatchObject({
        active: true,
        values: expect.arrayContaining([expect.objectContaining({ code: dimension.value, active: true })]),
      });
      expect(books?.vendors.find(({ code }) => code === known.vendor)?.blocked).toBe(false);
      expect(books?.vendors.find(({ code }) => code === known.blockedVendor)?.blocked).toBe(true);
    });

    it('distinguishes open and closed periods', async () => {
      const { openDay, closedDay } = contract.company;
      const periods = (await contract.erp.loadMasterData())?.periods ?? [];
      const openOn = (day: string) => periods.find(({ from, to }) => from <= day && day <= to)?.open;
      expect([openOn(openDay), openOn(closedDay)]).toEqual([true, false]);
    });

    it('finds no master data of an unknown company', async () => {
      expect(await contract.erp.for({ company: toErpCompanyId('no-such-company') }).loadMasterData()).toBeUndefined();
    });

    contract.itWith('rates')('finds rates of the currencies and days asked for, both days included', async () => {
      const { rate } = contract.company;
      const ratesOn = (from: typeof rate.date, to: typeof rate.date, code: string = rate.from) =>
        contract.erp.findRates({ currencies: [currency(code)], from, to });
      expect(await ratesOn(rate.date, rate.date)).toEqual([rate]);
      expect(await ratesOn(addDays(rate.date, -7), rate.date)).toContainEqual(rate);
      expect(await ratesOn(addDays(rate.date, 1), addDays(rate.date, 7))).not.toContainEqual(rate);
      expect(await ratesOn(rate.date, rate.date, 'XAF')).not.toContainEqual(rate);
    });

    it('reports a missing response', async () => {
      const { rate } = contract.company;
      const day = rate.date;
      const cutOff = async (ask: (erp: Contract['erp']) => Promise<unknown>) => {
        const { seen } = await contract.behindLine(() => undefined, ask);
        // A list of the settings is there without a request.
        if (seen.length > 0) {
          await failureOf(contract.lose('request', ask));
        }
      };
      await cutOff((erp) => erp.listCompanies());
      await cutOff((erp) => erp.loadMasterData());
      await cutOff((erp) => erp.findRates({ currencies: [rate.from], from: day, to: day }));
    });
  });
}
