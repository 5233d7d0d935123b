import { describe, expect, it } from '@jest/globals';
import { expenseText, shownItem } from './new-expense.js';

const FORM = { type: 'card_purchase', supplier: 'Taxi', currency: 'EUR', account_code: '4000', note: '' };
const ACCOUNT_ID = '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0001';
const PERSON = {
  id: '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0002',
  companyId: '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0003',
  email: 'ida@example.com',
  firstName: 'Ida',
  lastName: 'Berg',
  code: 'E-1',
  jobTitle: null,
  phone: null,
};

describe('an expense of the form', () => {
  it.each([
    ['12.50', 1250, '12.50 EUR'],
    ['12.5', 1250, '12.50 EUR'],
    ['7', 700, '7.00 EUR'],
    ['-0.05', -5, '-0.05 EUR'],
  ])('of %s is %i hundredths', (amount, value, shown) => {
    const text = expenseText({ ...FORM, amount }, ACCOUNT_ID, PERSON);
    expect(JSON.parse(text)).toMatchObject({
      amount: { inWalletCurrency: { currency: 'EUR', value } },
      accountingEntryLines: [{ account: { code: '4000' } }],
      user: { id: PERSON.id, name: 'Ida Berg', code: 'E-1' },
    });
    expect(shownItem({ id: ACCOUNT_ID, body: text })).toMatchObject({ amount: shown, text: 'Taxi' });
  });

  it('has no user when no person is given', () => {
    expect(JSON.parse(expenseText({ ...FORM, amount: '1' }, ACCOUNT_ID, undefined))).toMatchObject({
      user: null,
    });
  });

  it('keeps amounts beyond the precision of floats, and parts of a hundredth', () => {
    const amount = (value: string) =>
      shownItem({
        id: ACCOUNT_ID,
        body: `{"amount":{"inWalletCurrency":{"currency":"KWD","value":${value}}}}`,
      }).amount;
    expect([amount('-9007199254740993'), amount('123.4')]).toEqual(['-90071992547409.93 KWD', '1.234 KWD']);
  });

  it('shows an item of any content', () => {
    expect(shownItem({ id: ACCOUNT_ID, body: '{"supplier":null,"note":"x","type":7}' })).toEqual({
      id: ACCOUNT_ID,
      date: '',
      type: '',
      text: 'x',
      amount: '0.00 ',
    });
  });
});
