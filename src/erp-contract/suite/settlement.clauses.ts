import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import type { PlannedEntry } from '../../connector/bookkeeping/item/posting-plan.js';
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
  const payment = (number: string, more: Partial<PlannedEntry> = {}) => {
    const lines = [contract.line('payables', 10_000n, { vendor: vendor() }), contract.line('wallet', -10_000n)];
    const entry = contract.entry({ role: 'payment', ...more }, lines);
    const { currency } = entry;
    const named = { vendor: vendor(), numbers: [number], currency, amountMinor: 10_000n };
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
      'is there once both sides are posted, %s, however often it is asked for',
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

    it('waits for the other side: there is nothing to settle before, nor under an unknown key', async () => {
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
