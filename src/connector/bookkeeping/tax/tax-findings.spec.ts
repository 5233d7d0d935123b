import { describe, expect, it } from '@jest/globals';
import { message } from '../../../kernel/message.js';
import { Findings } from '../item/findings.js';
import { companyData, contextWith, fail, itemOf, line, onlyEntry, post, taxCode } from '../item/planning.fixtures.js';
import { planLineTax } from './line-tax.js';
import { describeTax } from './resolve-tax-code.js';

type Tax = NonNullable<NonNullable<NonNullable<Parameters<typeof itemOf>[0]['lines']>[number]>['tax']>;

const taxed = (tax: Tax) =>
  itemOf({ type: 'card_purchase', amount: '10000', lines: [{ amount: '10000', account: '6071', tax }] });
const rule = { id: '7', subject: 'tax-code', sourceKey: '25', target: '404' } as const;

describe('a finding about a tax', () => {
  it.each<[string, Tax, Parameters<typeof contextWith>[0], object, string]>([
    [
      'the sign of its amount',
      { type: 'inclusive', amount: '-100' },
      {},
      { kind: 'entry', reference: 'tax' },
      'opposite sign',
    ],
    [
      'a rate that is no number',
      { type: 'reverse', amount: '0', rate: 'high' },
      {},
      { kind: 'entry', reference: 'tax-rate' },
      'the rate "high" of tax code 25 is not a number',
    ],
    [
      'a deductible share above 1',
      { type: 'inclusive', amount: '100' },
      { taxCodes: [taxCode('25', { inputAccount: '2641', deductible: '2' })] },
      { kind: 'tax-share', reference: '25', name: 'Tax 25' },
      'deductible share "2"',
    ],
    [
      'a missing account',
      { type: 'inclusive', amount: '100', code: 'BARE' },
      {},
      { kind: 'tax-account', reference: 'BARE', name: 'input' },
      'there is no account for the input tax of tax code BARE',
    ],
    [
      'an inactive account that the platform names',
      { type: 'inclusive', amount: '100', ingoing: '9999' },
      {},
      { kind: 'tax-account', reference: '25', name: 'input' },
      "correct the tax code's account on the platform",
    ],
    [
      'an inactive account that the ERP names',
      { type: 'inclusive', amount: '100' },
      { taxCodes: [taxCode('25', { inputAccount: '9999' })] },
      { kind: 'tax-account', reference: '25', name: 'input' },
      "correct the tax code's account in the accounting system",
    ],
    [
      'the target of a rule',
      { type: 'inclusive', amount: '100' },
      { rules: [rule] },
      { kind: 'rule', reference: '7' },
      'Mapping rule 7 sends tax code 25 to tax code 404',
    ],
    [
      'an unknown code',
      { type: 'inclusive', amount: '100', code: '404' },
      {},
      { kind: 'tax-code', reference: '404' },
      'tax code 404 is not active',
    ],
  ])('says what has to be resolved: %s', (_, tax, context, issue, message) => {
    const plan = fail(taxed(tax), contextWith(context));
    expect(plan.problems.map((problem) => problem.issue)).toEqual([issue]);
    expect(plan.message).toContain(message);
  });

  it.each([
    ['a rate that is no number', { type: 'reverse', amount: '0', rate: 'high' }, 'validation_failure'],
    ['an amount of the wrong sign', { type: 'inclusive', amount: '-100' }, 'validation_failure'],
    ['an inactive account', { type: 'inclusive', amount: '100', ingoing: '9999' }, 'tax_code_unknown'],
    ['a missing account', { type: 'inclusive', amount: '100', code: 'BARE' }, 'tax_code_unknown'],
  ])('has its failure type: %s', (_, tax, failureType) => {
    expect(fail(taxed(tax)).failureType).toBe(failureType);
  });

  it.each([
    ['platform', { type: 'inclusive', amount: '100', ingoing: '9999' }, {}],
    ['erp', { type: 'inclusive', amount: '100' }, { taxCodes: [taxCode('25', { inputAccount: '9999' })] }],
  ])('says where an inactive account has to be corrected: %s', (place, tax, context) => {
    const { problems } = fail(taxed(tax), contextWith(context));
    expect(problems.map(({ reason }) => reason.parameters['place'])).toEqual([place]);
  });

  it('of a rule is a tax code that is unknown', () => {
    const plan = fail(taxed({ type: 'inclusive', amount: '100' }), contextWith({ rules: [rule] }));
    expect(plan.failureType).toBe('tax_code_unknown');
  });
});

it('accepts a deductible share of exactly 1', () => {
  const taxCodes = [...companyData.taxCodes, taxCode('ALL', { inputAccount: '2641', deductible: '1' })];
  const entry = onlyEntry(post(taxed({ type: 'inclusive', amount: '2000', code: 'ALL' }), contextWith({ taxCodes })));
  expect(entry.lines[1]?.tax).toMatchObject({ place: 'input', deductible: '1', taxMinor: 2000n });
});

describe('the rate of a tax line', () => {
  it.each([
    ['0.25', '0.25'],
    ['0', '0'],
    ['0.123456789012', '0.123456789012'],
    ['0.1234567890123', undefined],
    ['0.0000000000001', undefined],
    ['999999999999', '999999999999'],
    ['1000000000000', undefined],
    ['-0.25', undefined],
    ['high', undefined],
  ])('%s is kept as %s: it only informs, so another is left out', (rate, kept) => {
    const entry = onlyEntry(post(taxed({ type: 'inclusive', amount: '2000', rate })));
    expect(entry.lines[1]?.tax?.rate).toBe(kept);
  });
});

describe('a line with a tax', () => {
  const scope = { itemType: 'card_purchase', tags: [] };
  const divided = (tax: Tax, context: Parameters<typeof contextWith>[0] = {}, amount = '10000') => {
    const findings = new Findings();
    const source = line({ amount, account: '6071', tax });
    const read = { source, position: 1, lineMinor: 10000n, taxMinor: 100n };
    return { result: planLineTax(read, scope, contextWith(context), findings), problems: findings.problems.length };
  };
  const onlyInput = { taxCodes: [taxCode('25', { inputAccount: '2641' })] };

  it.each<[string, Tax, Parameters<typeof contextWith>[0]]>([
    ['an amount of the wrong sign', { type: 'inclusive', amount: '-100' }, {}],
    ['a rate that is no number', { type: 'reverse', amount: '0', rate: 'high' }, {}],
    ['a share above 1', { type: 'inclusive', amount: '100' }, { taxCodes: [taxCode('25', { deductible: '2' })] }],
    ['no account for input tax', { type: 'inclusive', amount: '100', code: 'BARE' }, {}],
    ['no account for output tax', { type: 'reverse', amount: '100' }, onlyInput],
    ['an inactive account', { type: 'inclusive', amount: '100', ingoing: '9999' }, {}],
    ['a rule to no tax code', { type: 'inclusive', amount: '100' }, { rules: [rule] }],
    ['an unknown code', { type: 'inclusive', amount: '100', code: '404' }, {}],
  ])('is not divided after one finding: %s', (_, tax, context) => {
    expect(divided(tax, context)).toStrictEqual({ result: undefined, problems: 1 });
  });

  it.each([
    ['its own amount', 'much', '100'],
    ['the amount of its tax', '10000', 'much'],
  ])('adds no finding to the one of an unreadable amount: %s', (_, amount, taxed) => {
    expect(divided({ type: 'inclusive', amount: taxed }, {}, amount).problems).toBe(0);
  });

  it('whose tax has no code is not found by a rule without a source key', () => {
    const rules = [{ ...rule, sourceKey: '' }];
    const tax = { type: 'inclusive', amount: '100', code: null, ingoing: '2641' };
    expect(divided(tax, { rules })).toMatchObject({ result: { input: { minor: 100n } }, problems: 0 });
  });
});

it.each([
  ['25', { named: 'by_code', code: '25' }],
  [' ', { named: 'by_id', code: 'tax-id' }],
  [null, { named: 'by_id', code: 'tax-id' }],
])('the name of a tax of code %j', (code, parameters) => {
  const { tax } = line({ amount: '100', tax: { type: 'inclusive', amount: '20', code } });
  expect(tax && describeTax(tax)).toStrictEqual(message('reason.named-tax-code', parameters));
});
