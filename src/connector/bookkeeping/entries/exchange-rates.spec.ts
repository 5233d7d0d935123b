import { describe, expect, it } from '@jest/globals';
import {
  baseOf,
  contextWith,
  currency,
  day,
  fail,
  itemOf,
  linesOf,
  onlyEntry,
  post,
} from '../item/planning.fixtures.js';

const usdItem = { type: 'card_purchase', amount: '1000', currency: 'USD', contra: '1936' };

function rate(date: string, text: string, from = 'USD', to = 'EUR') {
  return { from: currency(from), to: currency(to), date: day(date), rate: text };
}

describe('the exchange rate', () => {
  it.each([
    ['its own day', [rate('2026-02-10', '0.9'), rate('2026-02-09', '0.8')], '900'],
    ['the day before', [rate('2026-02-11', '0.9'), rate('2026-02-09', '0.8')], '800'],
    ['seven days before', [rate('2026-02-03', '0.7')], '700'],
  ])('is that of %s', (_, rates, base) => {
    const entry = onlyEntry(post(itemOf(usdItem), contextWith({ rates })));
    expect(baseOf(entry)).toEqual([`5410 +${base}`, `1936 -${base}`]);
  });

  it.each([
    ['eight days old', [rate('2026-02-02', '0.7')]],
    ['of tomorrow', [rate('2026-02-11', '0.7')]],
    ['the other way round', [rate('2026-02-10', '1.1', 'EUR', 'USD')]],
    ['to a third currency', [rate('2026-02-10', '10', 'USD', 'SEK')]],
    ['of another currency', [rate('2026-02-10', '0.006', 'JPY')]],
    ['zero', [rate('2026-02-10', '0')]],
    ['negative', [rate('2026-02-10', '-1')]],
    ['no number', [rate('2026-02-10', 'n/a')]],
    ['not there', []],
  ])('is ignored when it is %s', (_, rates) => {
    const plan = fail(itemOf(usdItem), contextWith({ rates }));
    expect(plan.failureType).toBe('missing_configuration');
    expect(plan.message).toBe(
      'There is no exchange rate USD to EUR for 2026-02-10 or the 7 days before: enter one in the accounting system.',
    );
  });

  it('is requested from an administrator when the accounting system has none', () => {
    const plan = fail(itemOf(usdItem), { ...contextWith({ rates: [] }), ratesAreUploaded: true });
    expect(plan.message).toBe(
      'There is no exchange rate USD to EUR for 2026-02-10 or the 7 days before: an administrator has to upload one to the connector (exchange-rates), since the accounting system has none.',
    );
  });

  it('is of the item’s own local day, also when the posting date moves', () => {
    const rates = [rate('2026-01-31', '0.5'), rate('2026-02-01', '0.9')];
    const context = contextWith({ rates, policies: { closedPeriod: 'next-open' } });
    const entry = onlyEntry(post(itemOf({ ...usdItem, date: '2026-01-31T22:30:00Z' }), context));
    expect(entry.postingDate).toBe('2026-02-01');
    expect(baseOf(entry)).toEqual(['5410 +500', '1936 -500']);
    const afterMidnight = onlyEntry(post(itemOf({ ...usdItem, date: '2026-01-31T23:30:00Z' }), context));
    expect(baseOf(afterMidnight)).toEqual(['5410 +900', '1936 -900']);
  });
});

describe('currency conversion', () => {
  it('goes from three digits to two and back', () => {
    const rates = [rate('2026-02-10', '3', 'KWD'), rate('2026-02-10', '0.3333', 'EUR', 'KWD')];
    const kwdItem = itemOf({ type: 'card_purchase', amount: '123.4', currency: 'KWD', contra: '1936' });
    expect(baseOf(onlyEntry(post(kwdItem, contextWith({ rates }))))).toEqual(['5410 +370', '1936 -370']); // 370.2
    const kwdCompany = contextWith({ rates, functionalCurrency: currency('KWD') });
    const eurItem = itemOf({ type: 'card_purchase', amount: '1000' });
    expect(baseOf(onlyEntry(post(eurItem, kwdCompany)))).toEqual(['5410 +3333', '1935 -3333']);
  });

  it('rounds half to even, on either side', () => {
    const lines = ['1', '3', '5'].map((amount) => ({ amount, account: '5410' }));
    const context = contextWith({ rates: [rate('2026-02-10', '0.5')] });
    const entry = onlyEntry(post(itemOf({ ...usdItem, amount: '9', lines }), context));
    expect(baseOf(entry)).toEqual(['5410 0', '5410 +2', '5410 +2', '1936 -4']);
  });

  it('a line too small for the functional currency keeps its own amount', () => {
    const context = contextWith({ rates: [rate('2026-02-10', '0.001')] });
    const entry = onlyEntry(post(itemOf({ ...usdItem, amount: '1' }), context));
    expect(linesOf(entry)).toEqual(['5410 +1', '1936 -1']);
    expect(baseOf(entry)).toEqual(['5410 0', '1936 0']);
  });
});

describe('FX rounding', () => {
  const lines = ['1000', '1001', '1002'].map((amount) => ({ amount, account: '5410' }));
  const uneven = itemOf({ ...usdItem, amount: '3003', lines });

  it('needs its account only for a residue', () => {
    expect(post(itemOf(usdItem), contextWith({ without: ['fxRounding'] })).outcome).toBe('post');
  });

  it('fails when its account is not set', () => {
    const plan = fail(uneven, contextWith({ without: ['fxRounding'] }));
    expect(plan.failureType).toBe('missing_configuration');
    expect(plan.message).toContain('No account is set for "FX rounding"');
  });

  it('fails when its account is not active', () => {
    const plan = fail(uneven, contextWith({ settings: { fxRounding: '9999' } }));
    expect(plan.failureType).toBe('invalid_configuration');
    expect(plan.message).toContain('The setting "FX rounding" names account 9999');
  });

  it('is not reported for lines that could not be resolved', () => {
    const unknown = itemOf({ ...usdItem, lines: [{ amount: '1000', account: '404' }] });
    const plan = fail(unknown, contextWith({ without: ['fxRounding'] }));
    expect(plan.problems.map(({ type }) => type)).toEqual(['account_unknown']);
  });
});
