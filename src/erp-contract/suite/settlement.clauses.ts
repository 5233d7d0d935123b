import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import type { PlannedEntry, PlannedLine } from '../../connector/bookkeeping/item/posting-plan.js';
import type { PostingGroup } from '../../connector/erp/erp-ledger.js';
import type { Contract } from './contract.js';

/** Settling by key what entries were posted to settle. */
export function settlementClauses(contract: Contract): void {
  const invoice = (number: string) =>
    contract.group({
      entries: [
        contract.entry({ role: 'invoice', documentNumber: number }, [
          contract.line('expense', 10_000n),
          contract.line('payables', -10_000n, { vendor: vendor() }),
        ]),
      ],
    });
  const payment = (number: string, more: Partial<PlannedEntry> = {}, amountMinor = 10_000n) => {
    const lines = [contract.line('payables', amountMinor, { vendor: vendor() }), contract.line('wallet', -amountMinor)];
    const entry = contract.entry({ role: 'payment', ...more }, lines);
    const { currency } = entry;
    const named = { vendor: vendor(), numbers: [number], currency, amountMinor };
    return contract.group({ entries: [{ ...entry, settlement: { kind: 'settles', ...named } }] });
  };
  const vendor = () => {
    const code = contract.company.vendor;
    return { id: contract.vendorId(code), code };
  };
  const posted = async (group: PostingGroup) => {
    expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
    return group.key;
  };
  const settle = (keys: readonly string[], erp = contract.erp) => erp.settle(keys);

  describe('a settlement', () => {
    it.each(['invoice first', 'payment first'])(
      'exists once both sides are posted, %s, for repeated calls',
      async (order) => {
        const number = `A-${randomUUID()}`;
        const groups = [invoice(number), payment(number)];
        for (const group of order === 'invoice first' ? groups : groups.toReversed()) {
          await posted(group);
        }
        const key = groups[1]?.key ?? '';
        expect(await settle([key])).toEqual([{ outcome: 'settled' }]);
        const booked = await contract.entriesUnder(key);
        expect(await settle([key])).toEqual([{ outcome: 'settled' }]);
        expect(await contract.entriesUnder(key)).toEqual(booked);
        await contract.find(key);
        const shown = (await contract.erp.inspect([key])).get(key) ?? [];
        expect(shown.flatMap(({ entries }) => entries.map((entry) => entry.settlementOpen === true))).toEqual([false]);
      },
    );

    it('in part leaves the rest open, until another payment settles it', async () => {
      const number = `A-${randomUUID()}`;
      const owed = await posted(invoice(number));
      const first = await posted(payment(number, {}, 4_000n));
      expect(await contract.openMinorUnder(owed)).toBe(-6_000n);
      const second = await posted(payment(number, {}, 6_000n));
      expect([await contract.openMinorUnder(owed), await contract.openMinorUnder(second)]).toEqual([0n, 0n]);
      expect(await settle([first, second])).toEqual([{ outcome: 'settled' }, { outcome: 'settled' }]);
    });

    it('at another rate leaves nothing open in base: the difference is posted to its account', async () => {
      const number = `A-${randomUUID()}`;
      const { rate, accounts } = contract.company;
      const inBase = (account: 'expense' | 'payables' | 'wallet', minor: bigint, baseMinor: bigint) =>
        contract.line(account, minor, { baseMinor, ...(account === 'payables' && { vendor: vendor() }) });
      const foreign = (entry: Partial<PlannedEntry>, lines: readonly PlannedLine[]) =>
        contract.group({ entries: [contract.entry({ currency: rate.from, ...entry }, lines)] });
      const owed = foreign({ role: 'invoice', documentNumber: number }, [
        inBase('expense', 10_000n, 9_123n),
        inBase('payables', -10_000n, -9_123n),
      ]);
      const settlement = { kind: 'settles', vendor: vendor(), numbers: [number], currency: rate.from } as const;
      const realizedFx = contract.postingAccount('realizedFx');
      const paid = foreign({ role: 'payment', settlement: { ...settlement, amountMinor: 10_000n, realizedFx } }, [
        inBase('payables', 10_000n, 9_300n),
        inBase('wallet', -10_000n, -9_300n),
      ]);
      const keys = [await posted(owed), await posted(paid)];
      expect(await settle([paid.key])).toEqual([{ outcome: 'settled' }]);
      const lines = (await Promise.all(keys.map((key) => contract.entriesUnder(key))))
        .flat()
        .flatMap((each) => each.lines);
      const baseOf = (code: string | undefined) =>
        lines.reduce((sum, { accountCode, baseMinor }) => (accountCode === code ? sum + baseMinor : sum), 0n);
      expect({ payables: baseOf(accounts.payables), realizedFx: baseOf(accounts.realizedFx) }).toEqual({
        payables: 0n,
        realizedFx: 177n,
      });
      expect([await contract.openMinorUnder(owed.key), await contract.openMinorUnder(paid.key)]).toEqual([0n, 0n]);
    });

    const across = contract.harness.capabilities.settlementAcrossAccounts === true;
    it.unless(across ? undefined : 'a settlement across accounts is not declared')(
      'of items on two payable accounts transfers the amount from one to the other, so that both balances are zero',
      async () => {
        const number = `A-${randomUUID()}`;
        const owed = await posted(invoice(number));
        const lines = [
          contract.line('otherPayables', 10_000n, { vendor: vendor() }),
          contract.line('wallet', -10_000n),
        ];
        const settlement = { kind: 'settles', vendor: vendor(), numbers: [number], amountMinor: 10_000n } as const;
        const entry = contract.entry({ role: 'payment' }, lines);
        const paid = await posted(
          contract.group({ entries: [{ ...entry, settlement: { ...settlement, currency: entry.currency } }] }),
        );
        expect(await settle([paid])).toEqual([{ outcome: 'settled' }]);
        expect([await contract.openMinorUnder(owed), await contract.openMinorUnder(paid)]).toEqual([0n, 0n]);
        const { payables, otherPayables = '' } = contract.company.accounts;
        const booked = [await contract.entriesUnder(owed), await contract.entriesUnder(paid)].flat();
        const balanceOf = (code: string) =>
          booked
            .flatMap((each) => each.lines)
            .reduce((sum, { accountCode, baseMinor }) => (accountCode === code ? sum + baseMinor : sum), 0n);
        expect([balanceOf(payables), balanceOf(otherPayables)]).toEqual([0n, 0n]);
        const transfer = booked.find(({ role }) => role === 'transfer');
        const moved = transfer?.lines.map(({ accountCode, amountMinor }) => [accountCode, amountMinor]);
        expect(moved?.toSorted()).toEqual(
          [
            [payables, 10_000n],
            [otherPayables, -10_000n],
          ].toSorted(),
        );
      },
    );

    it('waits for the other side: nothing is settled before, nor under an unknown key', async () => {
      const [waiting, draft, other] = [
        await posted(payment(`A-${randomUUID()}`)),
        await posted(payment(`A-${randomUUID()}`, { state: 'draft' })),
        await posted(contract.group()),
      ];
      const outcomes = await settle([waiting, draft, other, randomUUID()]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(outcomes.map(() => 'nothing-to-settle'));
      await contract.find(waiting);
      const shown = await contract.erp.inspect([waiting, draft, other]);
      const open = [...shown.values()].flat().flatMap(({ entries }) => entries);
      expect(open.filter(({ settlementOpen }) => settlementOpen === true)).toEqual([]);
    });

    it('has one outcome per key, in their order, for more keys than one request takes', async () => {
      const number = `A-${randomUUID()}`;
      await posted(invoice(number));
      const key = await posted(payment(number));
      const absent = Array.from({ length: contract.harness.capabilities.limits.groupsPerCall }, () => randomUUID());
      const outcomes = await settle([...absent, key]);
      const expected = [...absent.map(() => 'nothing-to-settle'), 'settled'];
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(expected);
    });

    it.each(['request', 'answer'] as const)('whose %s is lost is repeated without harm', async (part) => {
      const number = `A-${randomUUID()}`;
      await posted(invoice(number));
      const key = await posted(payment(number));
      const [lost] = await contract.lose(part, (erp) => settle([key], erp));
      expect(lost).toMatchObject({ outcome: 'unavailable', failure: { message: expect.any(String) } });
      expect(await settle([key])).toEqual([{ outcome: 'settled' }]);
    });
  });
}
