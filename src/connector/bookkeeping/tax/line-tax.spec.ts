import { describe, expect, it } from '@jest/globals';
import {
  contextWith,
  companyData,
  fail,
  itemOf,
  linesOf,
  onlyEntry,
  post,
  taxCode,
} from '../item/planning.fixtures.js';

interface Tax {
  readonly type: string;
  readonly amount: string;
  readonly code?: string | null;
  readonly rate?: string;
  readonly id?: string;
  readonly ingoing?: string;
  readonly outgoing?: string;
}

function purchase(amount: string, tax: Tax, more: { readonly net?: string; readonly type?: string } = {}) {
  const net = more.net === undefined ? {} : { net: more.net };
  return itemOf({
    type: more.type ?? 'card_purchase',
    amount,
    lines: [{ amount, ...net, account: '6071', tax }],
  });
}

describe('each tax type', () => {
  it.each([
    ['inclusive', '12500', '2500', '12500', ['6071 +10000', '2641 +2500', '1935 -12500']],
    ['exclusive', '12500', '2500', '10000', ['6071 +10000', '2641 +2500', '1935 -12500']],
    ['reverse', '10000', '2500', '10000', ['6071 +10000', '2641 +2500', '2614 -2500', '1935 -10000']],
  ])('%s', (type, amount, taxAmount, net, lines) => {
    expect(linesOf(onlyEntry(post(purchase(amount, { type, amount: taxAmount }, { net }))))).toEqual(lines);
  });

  it.each([
    ['inclusive', '12500', ['1935 +12500', '6071 -10000', '2641 -2500']],
    ['reverse', '10000', ['1935 +10000', '6071 -10000', '2641 -2500', '2614 +2500']],
  ])('%s on a refund moves with its expense', (type, amount, lines) => {
    const item = purchase(amount, { type, amount: '2500' }, { type: 'refund' });
    expect(linesOf(onlyEntry(post(item)))).toEqual(lines);
  });

  it('goes to the vendor’s invoice under accounts payable', () => {
    const item = {
      ...purchase('12500', { type: 'inclusive', amount: '2500' }),
      bookkeeping: { method: 'accounts_payable' },
    };
    const plan = post({ ...item, vendor: { id: 'v', name: 'Vendor V-7', code: 'V-7' } });
    expect(plan.entries.map(linesOf)).toEqual([
      ['6071 +10000', '2641 +2500', '2440·V-7 -12500'],
      ['2440·V-7 +12500', '1935 -12500'],
    ]);
  });

  it('an unknown tax type of a line of nothing is the only finding: such a line needs no account', () => {
    const lines = [
      { amount: '1000', account: '6071' },
      { amount: '0', tax: { type: 'withheld', amount: '100' } },
    ];
    const { problems } = fail(itemOf({ type: 'card_purchase', amount: '1000', lines }));
    expect(problems.map(({ reason }) => reason.code)).toEqual(['reason.tax.type']);
  });

  it('an unknown tax type fails', () => {
    const plan = fail(purchase('1000', { type: 'withheld', amount: '100' }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toContain('Line 1: the tax type "withheld" of tax code 25 is unknown');
  });
});

describe('amount', () => {
  it('is not recomputed from the rate', () => {
    const entry = onlyEntry(post(purchase('10000', { type: 'inclusive', amount: '1', rate: '0.25' })));
    expect(linesOf(entry)).toEqual(['6071 +9999', '2641 +1', '1935 -10000']);
  });

  it.each([
    ['10000', '0.25', ['6071 +10000', '2641 +2500', '2614 -2500', '1935 -10000']],
    ['50', '0.25', ['6071 +50', '2641 +12', '2614 -12', '1935 -50']], // 12.5 to even
    ['54', '0.25', ['6071 +54', '2641 +14', '2614 -14', '1935 -54']], // 13.5 to even
    ['-50', '0.25', ['1935 +50', '6071 -50', '2641 -12', '2614 +12']],
  ])('a reverse charge on %s without an amount is computed at %s, with a warning', (amount, rate, lines) => {
    const plan = post(purchase(amount, { type: 'reverse', amount: '0', rate }));
    expect(linesOf(onlyEntry(plan))).toEqual(lines);
    expect(plan.warnings).toMatchObject([
      {
        kind: 'reverse-tax-computed',
        message: `Line 1: the reverse charge tax code 25 came without an amount, it was computed from its rate of ${rate}.`,
      },
    ]);
  });

  it.each(['inclusive', 'exclusive'])('an %s tax of 0 stays 0 whatever its rate', (type) => {
    const plan = post(purchase('10000', { type, amount: '0', rate: '0.25' }));
    expect(linesOf(onlyEntry(plan))).toEqual(['6071 +10000', '1935 -10000']);
    expect(plan.warnings).toEqual([]);
  });

  it('a reverse charge at rate 0 has no tax', () => {
    const plan = post(purchase('10000', { type: 'reverse', amount: '0', rate: '0' }));
    expect(linesOf(onlyEntry(plan))).toEqual(['6071 +10000', '1935 -10000']);
    expect(plan.warnings).toEqual([]);
  });

  it('a reverse charge without an amount and with no number as rate fails', () => {
    expect(fail(purchase('10000', { type: 'reverse', amount: '0', rate: 'x' })).message).toContain('the rate "x"');
  });

  it('half-way tax in a currency without decimals is rounded to even', () => {
    const lines = [{ amount: '150000', account: '5800', tax: { type: 'inclusive', amount: '13650' } }];
    const item = itemOf({ type: 'card_purchase', amount: '150000', currency: 'JPY', contra: '1937', lines });
    expect(linesOf(onlyEntry(post(item)))).toEqual(['5800 +1364', '2641 +136', '1937 -1500']);
  });
});

describe('invalid tax amounts', () => {
  it.each([
    ['inclusive', '1000', '-200', '1000'],
    ['inclusive', '-1000', '200', '-1000'],
    ['exclusive', '900', '-100', '1000'],
    ['exclusive', '200', '300', '-100'], // the line has the sign of its tax, its net has not
    ['reverse', '1000', '-200', '1000'],
  ])('%s tax of opposite sign: %s with %s', (type, amount, taxAmount, net) => {
    const plan = fail(purchase(amount, { type, amount: taxAmount }, { net }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toContain('opposite sign');
  });

  it.each([
    ['1000', '1001'],
    ['-1000', '-1001'],
    ['1000', '1000.1'],
  ])('an inclusive tax larger than its line: %s with %s', (amount, taxAmount) => {
    expect(fail(purchase(amount, { type: 'inclusive', amount: taxAmount })).message).toContain('larger than the line');
  });

  it('an inclusive tax on a line of 0', () => {
    const lines = [
      { amount: '0', account: '6071', tax: { type: 'inclusive', amount: '100' } },
      { amount: '500', account: '5410' },
    ];
    expect(fail(itemOf({ type: 'card_purchase', amount: '500', lines })).message).toContain('larger than the line');
  });

  it.each(['1.5', '-0.1', 'half'])('a deductible share of %s', (deductible) => {
    const taxCodes = [taxCode('25', { inputAccount: '2641', deductible })];
    const plan = fail(purchase('1000', { type: 'inclusive', amount: '200' }), contextWith({ taxCodes }));
    expect(plan.failureType).toBe('invalid_configuration');
    expect(plan.message).toContain(`Tax code 25 (Tax 25) has the deductible share "${deductible}"`);
  });
});

describe('customs: tax without net', () => {
  it.each([
    ['inclusive', '800'],
    ['exclusive', '0'],
  ])('%s', (type, net) => {
    const entry = onlyEntry(post(purchase('800', { type, amount: '800' }, { net })));
    expect(linesOf(entry)).toEqual(['2641 +800', '1935 -800']);
  });

  it('a missing expense needs no account, but a named account must exist', () => {
    const tax = { type: 'inclusive', amount: '800' };
    const item = (account: string | null) =>
      itemOf({ type: 'card_purchase', amount: '800', lines: [{ amount: '800', account, tax }] });
    expect(linesOf(onlyEntry(post(item(null))))).toEqual(['2641 +800', '1935 -800']);
    expect(fail(item('404')).failureType).toBe('account_unknown');
  });

  it('a reverse charge on a line of 0 has its two tax lines', () => {
    const lines = [
      { amount: '0', account: '6071', tax: { type: 'reverse', amount: '250' } },
      { amount: '500', account: '5410' },
    ];
    expect(linesOf(onlyEntry(post(itemOf({ type: 'card_purchase', amount: '500', lines }))))).toEqual([
      '2641 +250',
      '2614 -250',
      '5410 +500',
      '1935 -500',
    ]);
  });
});

describe('deductible share', () => {
  it.each([
    ['inclusive', '10000', '2000', '10000', ['6071 +9000', '2641 +1000', '1935 -10000']],
    ['exclusive', '10000', '2000', '8000', ['6071 +9000', '2641 +1000', '1935 -10000']],
    ['reverse', '10000', '2000', '10000', ['6071 +11000', '2641 +1000', '2614 -2000', '1935 -10000']],
    ['inclusive', '1000', '25', '1000', ['6071 +988', '2641 +12', '1935 -1000']], // 12.5 to even
    ['inclusive', '1000', '27', '1000', ['6071 +986', '2641 +14', '1935 -1000']], // 13.5 to even
  ])('half of %s tax: line %s, tax %s', (type, amount, taxAmount, net, lines) => {
    const item = purchase(amount, { type, amount: taxAmount, code: 'HALF' }, { net });
    expect(linesOf(onlyEntry(post(item)))).toEqual(lines);
  });

  it('nothing of it: the tax stays on the expense and needs no account', () => {
    const item = purchase('10000', { type: 'inclusive', amount: '2000', code: 'NONE' });
    expect(linesOf(onlyEntry(post(item)))).toEqual(['6071 +10000', '1935 -10000']);
  });
});

describe('tax code and accounts', () => {
  it('the code stays on the expense and tax lines, not on the counter line', () => {
    const entry = onlyEntry(post(purchase('12500', { type: 'inclusive', amount: '2500' })));
    const code = { id: 'tax-25', code: '25', decision: { by: 'code' } };
    expect(entry.lines.map((line) => line.taxCode)).toEqual([code, code, undefined]);
  });

  it('a tax of 0 keeps its code on the expense', () => {
    const entry = onlyEntry(post(purchase('10000', { type: 'inclusive', amount: '0', code: 'BARE' })));
    expect(linesOf(entry)).toEqual(['6071 +10000', '1935 -10000']);
    expect(entry.lines[0]?.taxCode?.code).toBe('BARE');
  });

  it('the item’s accounts come before those of the tax code', () => {
    const item = purchase('10000', {
      type: 'reverse',
      amount: '2500',
      ingoing: '2642',
      outgoing: 'acc-2890',
    });
    const entry = onlyEntry(post(item));
    expect(linesOf(entry)).toEqual(['6071 +10000', '2642 +2500', '2890 -2500', '1935 -10000']);
    expect(entry.lines[1]?.account.decision).toEqual({ by: 'tax-account' });
    const mapped = onlyEntry(post(purchase('10000', { type: 'inclusive', amount: '2500' })));
    expect(mapped.lines[1]?.account.decision).toEqual({ by: 'tax-code' });
  });

  it.each([
    ['404', 'inclusive', { code: '404' }, 'tax code 404 is not active in the accounting system'],
    ['an inactive one', 'inclusive', { code: 'OLD' }, 'tax code OLD is not active'],
    ['404 with tax 0', 'zero', { code: '404' }, 'tax code 404 is not active'],
    ['one without input account', 'inclusive', { code: 'BARE' }, 'no account for the input tax of tax code BARE'],
    ['one without output account', 'reverse', { code: 'BARE', ingoing: '2641' }, 'no account for the output tax'],
    ['inactive input account given', 'inclusive', { ingoing: '9999' }, 'the input tax account 9999 of tax code 25'],
    ['unknown output account given', 'reverse', { outgoing: '404' }, 'the output tax account 404 of tax code 25'],
  ])('tax_code_unknown: %s', (_, type, tax, message) => {
    const plan = fail(
      purchase(
        '10000',
        type === 'zero' ? { type: 'inclusive', amount: '0', ...tax } : { type, amount: '2500', ...tax },
      ),
    );
    expect(plan.failureType).toBe('tax_code_unknown');
    expect(plan.message).toContain(message);
  });

  it('a tax account that is not needed is not checked', () => {
    const item = purchase('10000', { type: 'inclusive', amount: '2500', outgoing: '404' });
    expect(linesOf(onlyEntry(post(item)))).toEqual(['6071 +7500', '2641 +2500', '1935 -10000']);
  });

  it('without a code both accounts on the item suffice', () => {
    const tax = { type: 'reverse', amount: '2500', code: null, ingoing: '2641', outgoing: '2614' };
    const entry = onlyEntry(post(purchase('10000', tax)));
    expect(linesOf(entry)).toEqual(['6071 +10000', '2641 +2500', '2614 -2500', '1935 -10000']);
    expect(entry.lines[0]?.taxCode).toBeUndefined();
  });

  it('without a code and an account the item fails, and the reason names the tax by its id', () => {
    const plan = fail(purchase('10000', { type: 'reverse', amount: '2500', code: null, ingoing: '2641' }));
    expect(plan.failureType).toBe('tax_code_unknown');
    expect(plan.message).toContain('the output tax of tax code tax-id (which has no code)');
  });

  it('without a code the id of the tax is the key', () => {
    const tax = { type: 'inclusive', amount: '2500', code: null, id: 'tax-25' };
    const entry = onlyEntry(post(purchase('10000', tax)));
    expect(entry.lines[0]?.taxCode).toEqual({ id: 'tax-25', code: '25', decision: { by: 'identifier' } });
  });

  it('an identifier takes precedence over a code', () => {
    const taxCodes = [...companyData.taxCodes, taxCode('tax-25', { inputAccount: '2642' })];
    const item = purchase('10000', { type: 'inclusive', amount: '2500', code: 'tax-25' });
    expect(linesOf(onlyEntry(post(item, contextWith({ taxCodes }))))).toEqual([
      '6071 +7500',
      '2641 +2500',
      '1935 -10000',
    ]);
  });
});
