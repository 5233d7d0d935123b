import { expect } from 'expect';
import { addDays, type LocalDate } from '../../kernel/local-date.js';
import { it } from '../clauses.js';
import type { Contract } from './contract.js';

/** The balances that the ERP reports, in one currency and by posting date. */
export function balanceClauses(contract: Contract): void {
  const walletIn = async (from: LocalDate, to: LocalDate) => {
    const { code } = contract.postingAccount('wallet');
    const rows = await contract.erp.accountBalances({ from, to });
    const row = rows?.find(
      ({ accountCode, currency }) => accountCode === code && currency === contract.company.functionalCurrency,
    );
    return row ?? { openingMinor: 0n, debitMinor: 0n, creditMinor: 0n };
  };

  it('an entry moves the balance of its day, and the opening balance of the day after', async () => {
    const day = contract.company.openDay;
    const next = addDays(day, 1);
    const [before, later] = [await walletIn(day, day), await walletIn(next, next)];
    const group = contract.group();
    expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
    expect(await walletIn(day, day)).toMatchObject({
      openingMinor: before.openingMinor,
      debitMinor: before.debitMinor,
      creditMinor: before.creditMinor + 10_000n,
    });
    expect(await walletIn(next, next)).toMatchObject({
      openingMinor: later.openingMinor - 10_000n,
      debitMinor: later.debitMinor,
      creditMinor: later.creditMinor,
    });
  });

  contract.itWith('drafts')('a draft moves none', async () => {
    const day = contract.company.openDay;
    const before = await walletIn(day, day);
    expect(await contract.post(contract.group({ entries: [contract.entry({ state: 'draft' })] }))).toMatchObject({
      outcome: 'created',
    });
    expect(await walletIn(day, day)).toEqual(before);
  });
}
