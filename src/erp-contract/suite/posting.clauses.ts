import { randomUUID } from 'node:crypto';
import { expect } from 'expect';
import { describe, it } from '../clauses.js';
import type { PlannedEntry, PlannedLine } from '../../connector/bookkeeping/item/posting-plan.js';
import type { PostingGroup } from '../../connector/erp/erp-ledger.js';
import { cutText } from '../../kernel/text.js';
import { currency } from '../posting-group.builder.js';
import type { Contract } from './contract.js';

export function postingClauses(contract: Contract): void {
  const vendor = () => ({ id: contract.vendorId(contract.company.vendor), code: contract.company.vendor });
  const invoice = (lines: readonly PlannedLine[] = pairLines()[0]) =>
    contract.entry({ role: 'invoice', documentNumber: randomUUID() }, lines);
  const payment = (lines: readonly PlannedLine[] = pairLines()[1], more: Partial<PlannedEntry> = {}) =>
    contract.entry({ role: 'payment', ...more }, lines);
  const pairLines = () =>
    [
      [contract.line('expense', 9_900n), contract.line('payables', -9_900n, { vendor: vendor() })],
      [contract.line('payables', 9_900n, { vendor: vendor() }), contract.line('wallet', -9_900n)],
    ] as const;

  describe('posting', () => {
    it('keeps every amount to the minor unit in both currencies, with vendor, employee, tax code and dimensions', async () => {
      const { taxCode, dimension, rate, accounts } = contract.company;
      const decision = { by: 'code' } as const;
      const lines = [
        contract.line('expense', 1_000n, {
          baseMinor: 912n,
          taxCode: { id: contract.taxCodeId(taxCode), code: taxCode, decision },
          dimensions: [{ ...dimension, decision }],
        }),
        contract.line('expense', 2_003n, { baseMinor: 1_827n }),
        // What rounding leaves: an amount in base only.
        contract.line('expense', 0n, { baseMinor: 1n }),
        contract.line('wallet', -2_000n, { baseMinor: -1_825n, employee: 'E-3' }),
        contract.line('payables', -1_003n, { baseMinor: -915n, vendor: vendor() }),
      ];
      const entry = contract.entry({ currency: rate.from, documentNumber: randomUUID() }, lines);
      const group = contract.group({ entries: [entry] });
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });

      const [booked] = await contract.entriesUnder(group.key);
      const { postingDate, documentNumber, description, reference } = entry;
      expect(booked).toMatchObject({ role: 'entry', state: 'posted', currency: rate.from });
      expect(booked).toMatchObject({ postingDate, documentNumber, description, reference });
      const plain = { vendorCode: undefined, employee: undefined, taxCode: undefined, dimensions: {} };
      const { expense, wallet, payables } = accounts;
      const tagged = { taxCode, dimensions: { [dimension.dimension]: dimension.value } };
      expect(booked?.lines).toEqual([
        { ...plain, accountCode: expense, amountMinor: 1_000n, baseMinor: 912n, ...tagged },
        { ...plain, accountCode: expense, amountMinor: 2_003n, baseMinor: 1_827n },
        { ...plain, accountCode: expense, amountMinor: 0n, baseMinor: 1n },
        { ...plain, accountCode: wallet, amountMinor: -2_000n, baseMinor: -1_825n, employee: 'E-3' },
        {
          ...plain,
          accountCode: payables,
          amountMinor: -1_003n,
          baseMinor: -915n,
          vendorCode: vendor().code,
        },
      ]);
    });

    for (const code of ['JPY', 'KWD']) {
      const isTaken = contract.harness.currencies.includes(code);
      it.unless(isTaken ? undefined : 'the company takes no postings in it')(
        `keeps ${code} to its minor unit`,
        async () => {
          const { expense, wallet } = contract.company.accounts;
          const [amountMinor, baseMinor] = [1_234_567n, 398_247n];
          const lines = [
            contract.line('expense', amountMinor, { baseMinor }),
            contract.line('wallet', -amountMinor, { baseMinor: -baseMinor }),
          ];
          const group = contract.group({ entries: [contract.entry({ currency: currency(code) }, lines)] });
          expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
          expect(await contract.balances(group.key)).toEqual(
            new Map([
              [expense, [amountMinor, baseMinor]],
              [wallet, [-amountMinor, -baseMinor]],
            ]),
          );
          if (contract.level !== 'none') {
            await contract.find(group.key);
            const [shown] = (await contract.erp.inspect([group.key])).get(group.key) ?? [];
            expect(shown?.entries).toMatchObject([
              { currency: code, lines: [{ amountMinor }, { amountMinor: -amountMinor }] },
            ]);
          }
        },
      );
    }

    it('posts a pair of entries, and returns an id and a URL of each', async () => {
      const amountMinor = 9_900n;
      const settlement = {
        kind: 'within',
        vendor: vendor(),
        numbers: [],
        currency: contract.entry().currency,
        amountMinor,
      } as const;
      const group = contract.group({ entries: [invoice(), payment(undefined, { settlement })] });
      const outcome = await contract.post(group);
      const posted = outcome.outcome === 'created' ? outcome.posted : undefined;
      expect(posted).toMatchObject({ key: group.key, revision: 1, reversed: false });
      expect(posted?.contentDigest).toBe(group.contentDigest);
      expect(posted?.warnings).toEqual(expect.any(Array));
      expect(posted?.entries.map(({ role }) => role)).toEqual(['invoice', 'payment']);
      expect(new Set(posted?.entries.map(({ id }) => id)).size).toBe(2);
      expect(posted?.entries.every(({ url }) => URL.canParse(url))).toBe(true);
      const booked = await contract.entriesUnder(group.key);
      expect(booked.map(({ role }) => role)).toEqual(['invoice', 'payment']);
      expect(await contract.balances(group.key)).toEqual(
        new Map([
          [contract.company.accounts.expense, [amountMinor, amountMinor]],
          [contract.company.accounts.wallet, [-amountMinor, -amountMinor]],
        ]),
      );
    });

    it('posts an entry in parts, in order, and reverses all of them together', async () => {
      const part = (number: number, minor: bigint) =>
        contract.entry({ part: number }, [contract.line('expense', minor), contract.line('wallet', -minor)]);
      const group = contract.group({ entries: [part(1, 300n), part(2, 200n), part(3, 100n)] });
      const outcome = await contract.post(group);
      const posted = outcome.outcome === 'created' ? outcome.posted : undefined;
      expect(posted?.entries.map(({ role }) => role)).toEqual(['entry', 'entry', 'entry']);
      expect(new Set(posted?.entries.map(({ id }) => id)).size).toBe(3);
      const booked = await contract.entriesUnder(group.key);
      expect(booked.map(({ lines }) => lines[0]?.amountMinor)).toEqual([300n, 200n, 100n]);
      if (contract.level === 'none') return;
      await contract.find(group.key);
      const [shown] = (await contract.erp.inspect([group.key])).get(group.key) ?? [];
      expect(shown?.entries.map(({ role, part = 1, lines }) => [role, part, lines[0]?.amountMinor])).toEqual([
        ['entry', 1, 300n],
        ['entry', 2, 200n],
        ['entry', 3, 100n],
      ]);
      if (contract.without('reversal') !== undefined) return;
      expect(await contract.reverse(group.key)).toEqual({ outcome: 'reversed' });
      expect(await contract.balances(group.key)).toEqual(new Map());
    });

    it('takes an entry of as many lines as are declared', async () => {
      const { linesPerEntry } = contract.harness.capabilities.limits;
      const expenses = Array.from({ length: linesPerEntry - 1 }, () => contract.line('expense', 1n));
      const wallet = contract.line('wallet', BigInt(1 - linesPerEntry));
      const group = contract.group({ entries: [contract.entry({}, [...expenses, wallet])] });
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
      const [booked] = await contract.entriesUnder(group.key);
      expect(booked?.lines).toHaveLength(linesPerEntry);
    });

    it('takes a description of as many characters as is declared, in any script', async () => {
      const { descriptionLimit = 0 } = (await contract.erp.loadMasterData()) ?? {};
      const text = cutText('Taxi Łódź, 漢字 😀 "a" <b> ; {c} '.repeat(descriptionLimit), descriptionLimit - 1);
      const group = contract.group({ entries: [contract.entry({ description: `${text}.` })] });
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
      expect(await contract.effects(group.key)).toBe(1);
    });

    contract.itWith('drafts')('posts a draft as a draft', async () => {
      const group = contract.group({ entries: [contract.entry({ state: 'draft' })] });
      expect(await contract.post(group)).toMatchObject({ outcome: 'created' });
      expect(await contract.entriesUnder(group.key)).toMatchObject([{ state: 'draft' }]);
    });
  });

  describe('a refusal changes nothing', () => {
    const inactive = () => [contract.line('inactive', 5n), contract.line('wallet', -5n)];
    const blocked = () => {
      const { blockedVendor: code } = contract.company;
      const wrong = { vendor: { id: contract.vendorId(code), code } };
      return [contract.line('expense', 5n), contract.line('payables', -5n, wrong)];
    };
    const short = () => [contract.line('expense', 100n), contract.line('wallet', -99n)];
    const shortInBase = () => [contract.line('expense', 100n), contract.line('wallet', -100n, { baseMinor: -99n })];

    it.each<[what: string, entries: () => readonly PlannedEntry[]]>([
      ['a pair whose first entry is bad', () => [invoice(inactive()), payment()]],
      ['a pair whose second entry is bad', () => [invoice(), payment(inactive())]],
      ['a day in a closed period', () => [contract.entry({ postingDate: contract.company.closedDay })]],
      ['an account that takes no postings', () => [contract.entry({}, inactive())]],
      ['a vendor that takes no postings', () => [contract.entry({}, blocked())]],
      ['an entry that does not balance', () => [contract.entry({}, short())]],
      [
        'an entry that does not balance in base',
        () => [contract.entry({ currency: contract.company.rate.from }, shortInBase())],
      ],
    ])('%s', async (_, entries) => {
      const group = contract.group({ entries: entries() });
      const outcome = await contract.post(group);
      expect(outcome).toMatchObject({ outcome: 'refused', message: expect.stringMatching(/\w/) });
      expect(await contract.entriesUnder(group.key)).toEqual([]);
      // Nor is the key used up.
      expect(await contract.post(contract.group({ key: group.key }))).toMatchObject({ outcome: 'created' });
    });
  });

  describe('several groups', () => {
    const keysOf = (outcomes: readonly object[]) =>
      outcomes.map((outcome) => ('posted' in outcome ? (outcome.posted as { key: string }).key : undefined));

    it('get one outcome each, in order, and an invalid one does not affect the others', async () => {
      const bad = contract.group({ entries: [contract.entry({ postingDate: contract.company.closedDay })] });
      const [first, last] = [contract.group(), contract.group()];
      const outcomes = await contract.erp.post([first, bad, last]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'refused', 'created']);
      expect(keysOf(outcomes)).toEqual([first.key, undefined, last.key]);
      expect([await contract.effects(first.key), await contract.effects(last.key)]).toEqual([1, 1]);
    });

    it('may exceed the size of one request', async () => {
      const groups = Array.from({ length: contract.harness.capabilities.limits.groupsPerCall + 1 }, (): PostingGroup =>
        contract.group(),
      );
      const outcomes = await contract.erp.post(groups);
      expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
      expect(keysOf(outcomes)).toEqual(groups.map(({ key }) => key));
      const [first, last] = [groups[0], groups.at(-1)];
      expect([await contract.effects(first?.key ?? ''), await contract.effects(last?.key ?? '')]).toEqual([1, 1]);
    });

    it('may be none', async () => {
      expect(await contract.erp.post([])).toEqual([]);
    });
  });
}
