import { describe, expect, it } from '@jest/globals';
import { baseOf, contextWith, fail, itemOf, linesOf, onlyEntry, post, vendor } from '../item/planning.fixtures.js';

describe('an ERP with a limit of lines per entry [B5.4]', () => {
  // Two own lines and the wallet.
  const item = itemOf({
    type: 'card_purchase',
    lines: [
      { amount: '60', account: '6110' },
      { amount: '40', account: '6540' },
    ],
    amount: '100',
  });

  it('gets an entry of exactly that size undivided', () => {
    expect(onlyEntry(post(item, contextWith({ linesPerEntry: 3 }))).lines).toHaveLength(3);
  });

  it('gets a longer entry in parts, each with its share of the wallet [B9.10]', () => {
    const plan = post(item, contextWith({ linesPerEntry: 2 }));
    expect(plan.entries.map((entry) => [entry.role, entry.part, linesOf(entry)])).toEqual([
      ['entry', 1, ['6110 +60', '1935 -60']],
      ['entry', 2, ['6540 +40', '1935 -40']],
    ]);
  });

  // Expense, input tax and the wallet.
  const taxed = itemOf({
    type: 'card_purchase',
    amount: '12500',
    lines: [{ amount: '12500', account: '6071', tax: { type: 'inclusive', amount: '2500' } }],
  });

  it('gets no entry with a single source line over the limit: the reason states both numbers and the action', () => {
    const plan = fail(taxed, contextWith({ linesPerEntry: 2 }));
    expect([plan.failureType, plan.problems[0]?.issue]).toEqual([
      'accounting_system_validation_failure',
      { kind: 'entry', reference: 'lines' },
    ]);
    expect(plan.message).toMatch(/has 3 lines.* takes 2 in one entry: divide the expense/);
  });
});

describe('an entry in parts [B9.10]', () => {
  const parts = (plan: ReturnType<typeof post>) =>
    plan.entries.map((entry) => `${entry.role} ${(entry.part ?? 0).toString()}: ${linesOf(entry).join(' · ')}`);
  const line = (amount: string, account: string, tax?: string) => ({
    amount,
    account,
    ...(tax !== undefined && { tax: { type: 'inclusive', amount: tax } }),
  });

  it('keeps the tax of a line with the line, and the order of the lines', () => {
    const lines = [line('12500', '6071', '2500'), line('3000', '6110'), line('2500', '6070', '500')];
    const plan = post(itemOf({ type: 'card_purchase', amount: '18000', lines }), contextWith({ linesPerEntry: 4 }));
    expect(parts(plan)).toEqual([
      'entry 1: 6071 +10000 · 2641 +2500 · 6110 +3000 · 1935 -15500',
      'entry 2: 6070 +2000 · 2641 +500 · 1935 -2500',
    ]);
  });

  it('may have a discount that reverses its wallet share or leaves none', () => {
    const lines = [line('-2000', '3730'), line('5000', '5410'), line('700', '6110'), line('-700', '3730')];
    const item = itemOf({ type: 'card_purchase', amount: '3000', lines });
    expect(parts(post(item, contextWith({ linesPerEntry: 2 })))).toEqual([
      'entry 1: 3730 -2000 · 1935 +2000',
      'entry 2: 5410 +5000 · 1935 -5000',
      'entry 3: 6110 +700 · 1935 -700',
      'entry 4: 3730 -700 · 1935 +700',
    ]);
    const paired = {
      ...item,
      accountingEntryLines: item.accountingEntryLines.slice(2).concat(item.accountingEntryLines.slice(0, 2)),
    };
    expect(parts(post(paired, contextWith({ linesPerEntry: 3 })))).toEqual([
      'entry 1: 6110 +700 · 3730 -700',
      'entry 2: 3730 -2000 · 5410 +5000 · 1935 -3000',
    ]);
  });

  it('adds up in a foreign currency to the base amount of the undivided entry', () => {
    const lines = [line('1000', '5410'), line('1001', '6110'), line('1002', '5611')];
    const item = itemOf({ type: 'card_purchase', amount: '3003', currency: 'USD', contra: '1936', lines });
    const plan = post(item, contextWith({ linesPerEntry: 3 }));
    expect(plan.entries.map(linesOf)).toEqual([
      ['5410 +1000', '1936 -1000'],
      ['6110 +1001', '1936 -1001', '3960 0'],
      ['5611 +1002', '1936 -1002'],
    ]);
    expect(plan.entries.map(baseOf)).toEqual([
      ['5410 +912', '1936 -912'],
      ['6110 +913', '1936 -914', '3960 +1'],
      ['5611 +914', '1936 -914'],
    ]);
  });

  // 1 USD is 0.9123 EUR: 10000 and 20000 leave nothing, 1000, 1001 and 1002 leave a cent to a rounding line.
  it.each<[string, readonly string[], number, readonly number[]]>([
    ['that no cent is left of', ['10000', '20000'], 3, [3]],
    ['with its rounding line', ['1000', '1001', '1002'], 5, [5]],
    ['that is too long by its rounding line alone', ['1000', '1001', '1002'], 4, [4, 2]],
  ])('in a foreign currency is divided only where it does not fit: one %s', (_, amounts, linesPerEntry, lengths) => {
    const lines = amounts.map((amount) => line(amount, '5410'));
    const amount = amounts.reduce((sum, one) => sum + Number(one), 0).toString();
    const item = itemOf({ type: 'card_purchase', amount, currency: 'USD', contra: '1936', lines });
    const plan = post(item, contextWith({ linesPerEntry }));
    expect(plan.entries.map((entry) => entry.lines.length)).toEqual(lengths);
  });

  const invoice = { invoiceNumber: 'A-17', invoiceDate: '2026-02-03', dueDate: '2026-03-05', status: 'ready' };
  const payable = { type: 'invoice', method: 'accounts_payable', vendor: 'V-7', invoice };

  it('is one open item per part of an invoice, with its number and dates', () => {
    const lines = [line('50000', '4010'), line('12500', '6110')];
    const plan = post(itemOf({ ...payable, amount: '62500', lines }), contextWith({ linesPerEntry: 2 }));
    expect(parts(plan)).toEqual([
      'invoice 1: 4010 +50000 · 2440·V-7 -50000',
      'invoice 2: 6110 +12500 · 2440·V-7 -12500',
    ]);
    expect(plan.entries.map((entry) => [entry.documentNumber, entry.documentDate, entry.dueDate])).toEqual([
      ['A-17', '2026-02-03', '2026-03-05'],
      ['A-17', '2026-02-03', '2026-03-05'],
    ]);
  });

  it('settles the invoice of a credit note with the share of each part', () => {
    const lines = [line('-10000', '4010'), line('-5000', '6110')];
    const plan = post(itemOf({ ...payable, amount: '-15000', lines }), contextWith({ linesPerEntry: 2 }));
    expect(plan.entries.map(({ role, settlement }) => [role, settlement?.kind, settlement?.amountMinor])).toEqual([
      ['credit-note', 'settles', 10000n],
      ['credit-note', 'settles', 5000n],
    ]);
  });

  it('is not made when one part of an invoice would be owed by the vendor', () => {
    const lines = [line('-2000', '3730'), line('5000', '5410')];
    const plan = fail(itemOf({ ...payable, amount: '3000', lines }), contextWith({ linesPerEntry: 2 }));
    expect(plan.message).toMatch(/has 3 lines.* takes 2 in one entry/);
  });
});

describe('an ERP that needs a vendor on payables [B5.4]', () => {
  const needy = { payablesNeedVendor: true };
  const ownCost = itemOf({ type: 'out_of_pocket', amount: '100', method: 'accounts_payable' });

  it('gets employee costs without one where they are owed on another account', () => {
    expect(post(ownCost, contextWith(needy)).outcome).toBe('post');
  });

  it.each<[string, Parameters<typeof contextWith>[0]]>([
    ['that of the settings', { settings: { outOfPocket: '2440', accountsPayable: '2440' } }],
    ['by its id in one place', { settings: { outOfPocket: 'acc-2440', accountsPayable: '2440' } }],
    [
      'one of a vendor',
      {
        settings: { outOfPocket: '2440', accountsPayable: '6110' },
        vendors: [vendor('V-9', { payablesAccount: '2440' })],
      },
    ],
  ])('gets no line without a vendor on a vendor account: %s', (_, changes) => {
    expect(post(ownCost, contextWith(changes)).outcome).toBe('post');
    const plan = fail(ownCost, contextWith({ ...needy, ...changes }));
    expect(plan.failureType).toBe('vendor_unknown');
    expect(plan.message).toMatch(/posts to account 2440.*Choose a vendor/);
  });

  it('gets entries with a vendor', () => {
    const item = itemOf({ type: 'card_purchase', amount: '1000', method: 'accounts_payable', vendor: 'V-7' });
    expect(post(item, contextWith(needy)).outcome).toBe('post');
  });
});
