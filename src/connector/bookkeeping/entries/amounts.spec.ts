import { describe, expect, it } from '@jest/globals';
import {
  contextWith,
  currency,
  dual,
  fail,
  itemOf,
  line,
  linesOf,
  onlyEntry,
  post,
} from '../item/planning.fixtures.js';

const purchase = { type: 'card_purchase' };

describe('whole minor units', () => {
  it('a tenth of a hundredth is a fils in KWD', () => {
    const context = contextWith({
      settings: { wallets: { KWD: '1935' } },
      functionalCurrency: currency('KWD'),
    });
    const entry = onlyEntry(post(itemOf({ ...purchase, amount: '123.4', currency: 'KWD' }), context));
    expect(linesOf(entry)).toEqual(['5410 +1234', '1935 -1234']);
  });

  it.each([
    ['100.5', 'EUR', 'The amount of the entry is 1.005 EUR, but EUR is booked with 2 decimals'],
    ['150050', 'JPY', 'The amount of the entry is 1500.50 JPY, but JPY is booked with 0 decimals'],
    ['abc', 'EUR', 'The amount of the entry is "abc", which is not a number'],
  ])('an amount of %s hundredths of %s fails', (amount, code, message) => {
    const plan = fail(itemOf({ ...purchase, amount, currency: code, contra: '1937' }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toContain(message);
  });

  it('a line of half a cent fails and is named in the reason', () => {
    const lines = [{ amount: '50.5' }, { amount: '49.5' }].map((one) => ({ ...one, account: '5410' }));
    const { message } = fail(itemOf({ ...purchase, amount: '100', lines }));
    expect(message).toContain('The amount of line 1 is 0.505 EUR');
    expect(message).toContain('The amount of line 2 is 0.495 EUR');
  });
});

describe('net and tax of a line that is taxed on top', () => {
  const taxed = { amount: '1250', net: '1000', account: '5410', tax: { type: 'exclusive', amount: '250' } };
  const wrong = { ...taxed, net: '900' };

  it.each([
    ['the tax', { ...taxed, tax: { type: 'exclusive', amount: 'much' } }, 'EUR', ['reason.amount.not-a-number']],
    ['the total', { ...taxed, amount: 'much' }, 'EUR', ['reason.amount.not-a-number']],
    ['the sum', wrong, 'EUR', ['reason.tax-sum']],
    ['the currency', wrong, 'XXX', ['reason.currency']],
  ])('are compared only where both and the total are known: wrong is %s', (_, one, code, reasons) => {
    const { problems } = fail(itemOf({ ...purchase, amount: '1250', currency: code, lines: [one] }));
    expect(problems.map(({ reason }) => reason.code)).toEqual(reasons);
  });
});

describe('currency', () => {
  it.each(['XXX', 'UNDEFINED', 'eur'])('%s cannot be booked', (code) => {
    const plan = fail(itemOf({ ...purchase, amount: '100', currency: code }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toContain(`"${code}" is not a currency that can be booked`);
  });

  it('an item in two wallet currencies fails and names both', () => {
    const item = itemOf({ ...purchase, amount: '100' });
    const mixed = { ...item, accountingEntryLines: [line({ amount: '100', account: '5410' }, 'SEK')] };
    expect(fail(mixed).message).toContain('mixes the wallet currencies EUR and SEK');
  });

  const taxed = line({ amount: '1000', account: '5410', tax: { type: 'inclusive', amount: '200' } });

  it.each([
    ['net amount', { ...taxed, netAmount: dual('800', 'SEK') }],
    ['tax', { ...taxed, tax: taxed.tax && { ...taxed.tax, amount: dual('200', 'SEK') } }],
  ])('a %s in another wallet currency fails, unless the type posts only its total', (_, mixedLine) => {
    const accountingEntryLines = [mixedLine];
    const posted = { ...itemOf({ ...purchase, amount: '1000' }), accountingEntryLines };
    expect(fail(posted).message).toContain('mixes the wallet currencies EUR and SEK');
    const totalOnly = { ...itemOf({ type: 'wallet_topup', amount: '1000' }), accountingEntryLines };
    expect(linesOf(onlyEntry(post(totalOnly)))).toEqual(['1935 +1000', '1930 -1000']);
  });

  it('a line in another wallet currency fails also where only the total is posted', () => {
    const foreign = { ...line({ amount: '1000', account: '5410' }, 'EUR'), lineAmount: dual('1000', 'SEK') };
    const item = { ...itemOf({ type: 'wallet_topup', amount: '1000' }), accountingEntryLines: [foreign] };
    expect(fail(item).message).toContain('mixes the wallet currencies EUR and SEK');
  });

  it('the supplier currency is informational and not checked', () => {
    const item = itemOf({ ...purchase, amount: '100' });
    const amount = { ...item.amount, inSupplierCurrency: { currency: 'UNDEFINED', value: 'x' } };
    const entry = onlyEntry(post({ ...item, amount, servicePeriod: { from: '2026-01-01', to: '2026-12-31' } }));
    expect(entry.information).toEqual({
      supplierAmount: { currency: 'UNDEFINED', value: 'x' },
      servicePeriod: { from: '2026-01-01', to: '2026-12-31' },
    });
  });
});

describe('the sum of the lines', () => {
  it.each([
    ['1000', ['999'], 'The lines add up to 9.99, the entry is 10.00 (0.01 missing)'],
    ['1000', ['600', '401'], 'The lines add up to 10.01, the entry is 10.00 (0.01 too much)'],
    ['-4000', ['-3900'], 'The lines add up to -39.00, the entry is -40.00 (1.00 missing)'],
    ['-4000', ['-4100'], 'The lines add up to -41.00, the entry is -40.00 (1.00 too much)'],
    ['0', ['500'], 'The lines add up to 5.00, the entry is 0.00 (5.00 too much)'],
  ])('must equal the entry: entry %s, lines %j', (amount, lines, message) => {
    const item = itemOf({
      ...purchase,
      amount,
      lines: lines.map((one) => ({ amount: one, account: '5410' })),
    });
    expect(fail(item).message).toContain(message);
  });

  it('must not be empty', () => {
    expect(fail(itemOf({ ...purchase, amount: '1000', lines: [] })).message).toContain('The entry has no lines');
  });

  it('an exclusive line is net and tax', () => {
    const tax = { type: 'exclusive', amount: '1600' };
    const lines = [{ amount: '8100', net: '6400', account: '5410', tax }];
    const plan = fail(itemOf({ ...purchase, amount: '8100', lines }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toContain('Line 1: net 64.00 and tax 16.00 add up to 80.00, the line is 81.00 (1.00 missing)');
  });

  it('an exclusive line in yen adds up in hundredths', () => {
    const tax = { type: 'exclusive', amount: '13636' };
    const lines = [{ amount: '150000', net: '136364', account: '5800', tax }];
    const item = itemOf({ ...purchase, amount: '150000', currency: 'JPY', contra: '1937', lines });
    expect(linesOf(onlyEntry(post(item)))).toEqual(['5800 +1364', '2641 +136', '1937 -1500']);
  });

  it.each(['inclusive', 'reverse'])('the net amount of an %s line is ignored', (type) => {
    const lines = [{ amount: '1000', net: '1', account: '5410', tax: { type, amount: '200' } }];
    expect(post(itemOf({ ...purchase, amount: '1000', lines })).outcome).toBe('post');
  });

  it('a net amount that is not a number fails', () => {
    const lines = [{ amount: '1000', net: 'x', account: '5410', tax: { type: 'exclusive', amount: '200' } }];
    expect(fail(itemOf({ ...purchase, amount: '1000', lines })).message).toContain('The net amount of line 1 is "x"');
  });

  it('a tax amount that is not a number fails', () => {
    const lines = [{ amount: '1000', account: '5410', tax: { type: 'inclusive', amount: 'x' } }];
    expect(fail(itemOf({ ...purchase, amount: '1000', lines })).message).toContain('The tax of line 1 is "x"');
  });
});

describe('zero amounts', () => {
  it.each([
    ['card_purchase', ['0']],
    ['card_purchase', ['0', '0']],
    ['wallet_topup', ['0']],
    ['wallet_topup', ['500', '-500']],
  ])('%s with lines %j has nothing to post', (type, lines) => {
    const plan = fail(itemOf({ type, amount: '0', lines: lines.map((amount) => ({ amount, account: '5410' })) }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toContain('nothing to post');
  });

  it('lines that cancel out are posted without a counter line, which then needs no account', () => {
    const lines = [
      { amount: '500', account: '5410' },
      { amount: '-500', account: '6110' },
    ];
    const context = contextWith({ settings: { wallets: {} } });
    expect(linesOf(onlyEntry(post(itemOf({ ...purchase, amount: '0', lines }), context)))).toEqual([
      '5410 +500',
      '6110 -500',
    ]);
    const payable = post(
      itemOf({ ...purchase, amount: '0', lines, method: 'accounts_payable', vendor: 'V-7' }),
      context,
    );
    expect(payable.entries.map(({ role }) => role)).toEqual(['invoice']);
  });

  it('the account of a zero line is not looked up', () => {
    const lines = [
      {
        amount: '0',
        account: '404',
        tags: ['NO=SUCH'],
        tax: { type: 'inclusive', amount: '0', code: '404' },
      },
      { amount: '500', account: '5410' },
    ];
    expect(linesOf(onlyEntry(post(itemOf({ ...purchase, amount: '500', lines }))))).toEqual(['5410 +500', '1935 -500']);
  });
});

describe('lines are never merged', () => {
  it('two lines on one account stay separate, with a tax line each, in source order', () => {
    const tax = { type: 'inclusive', amount: '200' };
    const lines = [
      { amount: '1000', account: '6071', tax },
      { amount: '1200', account: '5410' },
      { amount: '1000', account: '6071', tax },
    ];
    expect(linesOf(onlyEntry(post(itemOf({ ...purchase, amount: '3200', lines }))))).toEqual([
      '6071 +800',
      '2641 +200',
      '5410 +1200',
      '6071 +800',
      '2641 +200',
      '1935 -3200',
    ]);
  });
});

describe('a total whose sign the type ignores', () => {
  it('reverses the sign of every line', () => {
    const lines = [
      { amount: '-5000', account: '5410' },
      { amount: '2000', account: '3730' },
    ];
    expect(linesOf(onlyEntry(post(itemOf({ type: 'refund', amount: '-3000', lines }))))).toEqual([
      '1935 +3000',
      '5410 -5000',
      '3730 +2000',
    ]);
  });
});
