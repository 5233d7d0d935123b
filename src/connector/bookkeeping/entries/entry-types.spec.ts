import { describe, expect, it } from '@jest/globals';
import { bookOf, fail, itemOf, post } from '../item/planning.fixtures.js';

// Every type with every subtype and method: 10.00 on account 5410, employee E-1.

interface TypeRow {
  readonly type: string;
  readonly subType?: string;
  readonly journal: string;
  readonly supplier: readonly string[];
  readonly employee: readonly string[];
  /** Undefined where accounts payable needs a vendor. */
  readonly noVendor?: readonly string[];
  /** As journal for a total of −10.00; undefined where the sign is noise. */
  readonly negative?: string;
}

const purchaseOf = (vendor: string) => [
  `invoice: 5410 +1000 · 2440·${vendor} -1000`,
  `payment: 2440·${vendor} +1000 · 1935 -1000`,
];
const returnOf = (vendor: string) => [
  `credit-note: 2440·${vendor} +1000 · 5410 -1000`,
  `receipt: 1935 +1000 · 2440·${vendor} -1000`,
];
const employeeCost = {
  journal: 'entry: 5410 +1000 · 2890·E-1 -1000',
  negative: 'entry: 2890·E-1 +1000 · 5410 -1000',
  supplier: ['invoice: 5410 +1000 · 2440·V-7 -1000', 'payment: 2440·V-7 +1000 · 2890·E-1 -1000'],
  employee: ['invoice: 5410 +1000 · 2440·E-3 -1000'],
  noVendor: ['invoice: 5410 +1000 · 2890·E-1 -1000'],
};
const purchase = {
  journal: 'entry: 5410 +1000 · 1935 -1000',
  negative: 'entry: 1935 +1000 · 5410 -1000',
  supplier: purchaseOf('V-7'),
  employee: purchaseOf('E-3'),
};
const comingBack = {
  journal: 'entry: 1935 +1000 · 5410 -1000',
  supplier: returnOf('V-7'),
  employee: returnOf('E-3'),
};
const directOut = {
  journal: 'entry: 2890·E-1 +1000 · 1935 -1000',
  supplier: ['payment: 2890·E-1 +1000 · 1935 -1000'],
  employee: ['payment: 2440·E-3 +1000 · 1935 -1000'],
  noVendor: ['payment: 2890·E-1 +1000 · 1935 -1000'],
};
const directBack = {
  journal: 'entry: 1935 +1000 · 2890·E-1 -1000',
  supplier: ['receipt: 1935 +1000 · 2890·E-1 -1000'],
  employee: ['receipt: 1935 +1000 · 2440·E-3 -1000'],
  noVendor: ['receipt: 1935 +1000 · 2890·E-1 -1000'],
};
const outsideOut = {
  journal: 'entry: 2890·E-1 +1000 · 1930 -1000',
  supplier: ['payment: 2890·E-1 +1000 · 1930 -1000'],
  employee: ['payment: 2440·E-3 +1000 · 1930 -1000'],
  noVendor: ['payment: 2890·E-1 +1000 · 1930 -1000'],
};
const outsideBack = {
  journal: 'entry: 1930 +1000 · 2890·E-1 -1000',
  supplier: ['receipt: 1930 +1000 · 2890·E-1 -1000'],
  employee: ['receipt: 1930 +1000 · 2440·E-3 -1000'],
  noVendor: ['receipt: 1930 +1000 · 2890·E-1 -1000'],
};
const paymentSent = {
  journal: 'entry: 2440 +1000 · 1935 -1000',
  supplier: ['payment: 2440·V-7 +1000 · 1935 -1000'],
  employee: ['payment: 2440·E-3 +1000 · 1935 -1000'],
};
const alwaysJournal = (entry: string) => ({
  journal: entry,
  supplier: [entry],
  employee: [entry],
  noVendor: [entry],
});

const ROWS: readonly TypeRow[] = [
  { type: 'card_purchase', ...purchase },
  { type: 'card_invoice', ...purchase },
  { type: 'fee', ...purchase },
  { type: 'fee', subType: 'interest', ...purchase },
  {
    type: 'atm_withdrawal',
    ...alwaysJournal('entry: 5410 +1000 · 1935 -1000'),
    negative: 'entry: 1935 +1000 · 5410 -1000',
  },
  { type: 'refund', ...comingBack },
  { type: 'chargeback', ...comingBack },
  { type: 'cashback', ...alwaysJournal('entry: 1935 +1000 · 5410 -1000') },
  { type: 'out_of_pocket', ...employeeCost },
  { type: 'mileage', ...employeeCost },
  { type: 'per_diem', ...employeeCost },
  { type: 'direct_reimbursement', ...directOut },
  { type: 'direct_reimbursement', subType: 'reimbursement_to_employee', ...directOut },
  { type: 'direct_reimbursement', subType: 'reimbursement_to_employee_refund', ...directBack },
  { type: 'direct_reimbursement', subType: 'reimbursement_to_company', ...directBack },
  { type: 'external_reimbursement', ...outsideOut },
  { type: 'external_reimbursement', subType: 'reimbursement_to_employee', ...outsideOut },
  { type: 'external_reimbursement', subType: 'reimbursement_to_employee_refund', ...outsideBack },
  { type: 'external_reimbursement', subType: 'reimbursement_to_company', ...outsideBack },
  {
    type: 'personal_spend',
    ...alwaysJournal('entry: 2890·E-1 +1000 · 1935 -1000'),
    negative: 'entry: 1935 +1000 · 2890·E-1 -1000',
  },
  {
    type: 'invoice',
    journal: 'entry: 5410 +1000 · 2440 -1000',
    negative: 'entry: 2440 +1000 · 5410 -1000',
    supplier: ['invoice: 5410 +1000 · 2440·V-7 -1000'],
    employee: ['invoice: 5410 +1000 · 2440·E-3 -1000'],
  },
  { type: 'invoice_payment', ...paymentSent },
  { type: 'invoice_payment', subType: 'invoice_payment_sent', ...paymentSent },
  {
    type: 'invoice_payment',
    subType: 'invoice_payment_returned',
    journal: 'entry: 1935 +1000 · 2440 -1000',
    supplier: ['receipt: 1935 +1000 · 2440·V-7 -1000'],
    employee: ['receipt: 1935 +1000 · 2440·E-3 -1000'],
  },
  { type: 'wallet_topup', ...alwaysJournal('entry: 1935 +1000 · 1930 -1000') },
  { type: 'wallet_unload', ...alwaysJournal('entry: 1930 +1000 · 1935 -1000') },
];

const shared = { amount: '1000', employee: 'E-1', invoice: { invoiceNumber: 'A-1', status: 'ready' } };

describe.each(ROWS)('$type $subType', (row) => {
  const subType = row.subType ?? null;
  const base = { ...shared, type: row.type, subType };

  it.each(['journal', 'none', null])('method %s', (method) => {
    expect(bookOf(post(itemOf({ ...base, method })))).toEqual([row.journal]);
  });

  it.each(['journal', 'none'])('method %s ignores a vendor', (method) => {
    expect(bookOf(post(itemOf({ ...base, method, vendor: 'V-7' })))).toEqual([row.journal]);
  });

  it('without method, a vendor that does not resolve is ignored', () => {
    expect(bookOf(post(itemOf({ ...base, method: null, vendor: 'V-404' })))).toEqual([row.journal]);
  });

  it.each(['accounts_payable', null])('method %s with a supplier as vendor', (method) => {
    expect(bookOf(post(itemOf({ ...base, method, vendor: 'V-7' })))).toEqual(row.supplier);
  });

  it.each(['accounts_payable', null])('method %s with an employee as vendor', (method) => {
    expect(bookOf(post(itemOf({ ...base, method, vendor: 'E-3' })))).toEqual(row.employee);
  });

  it('accounts payable without a vendor', () => {
    const item = itemOf({ ...base, method: 'accounts_payable' });
    if (row.noVendor === undefined) expect(fail(item).failureType).toBe('vendor_unknown');
    else expect(bookOf(post(item))).toEqual(row.noVendor);
  });

  it('a negative total', () => {
    const item = itemOf({ ...base, amount: '-1000' });
    expect(bookOf(post(item))).toEqual([row.negative ?? row.journal]);
  });
});

describe('negative totals through accounts payable', () => {
  it.each([
    ['card_purchase', 'V-7', returnOf('V-7')],
    ['card_invoice', 'V-7', returnOf('V-7')],
    ['fee', 'V-7', returnOf('V-7')],
    ['refund', 'V-7', returnOf('V-7')],
    ['invoice', 'V-7', ['credit-note: 2440·V-7 +1000 · 5410 -1000']],
    ['out_of_pocket', 'V-7', ['credit-note: 2440·V-7 +1000 · 5410 -1000', 'receipt: 2890·E-1 +1000 · 2440·V-7 -1000']],
    ['out_of_pocket', 'E-3', ['credit-note: 2440·E-3 +1000 · 5410 -1000']],
    ['mileage', undefined, ['credit-note: 2890·E-1 +1000 · 5410 -1000']],
    ['invoice_payment', 'V-7', ['payment: 2440·V-7 +1000 · 1935 -1000']],
  ])('%s of -10.00 with vendor %s', (type, vendor, expected) => {
    const item = itemOf({
      ...shared,
      type,
      amount: '-1000',
      method: 'accounts_payable',
      ...(vendor && { vendor }),
    });
    expect(bookOf(post(item))).toEqual(expected);
  });
});

describe('unsupported types and methods', () => {
  it.each([
    ['barter', null, 'type "barter" with no subtype'],
    ['card_purchase', 'interest', 'type "card_purchase" with subtype "interest"'],
    ['fee', 'late_fee', 'type "fee" with subtype "late_fee"'],
    ['refund', 'reimbursement_to_company', 'type "refund" with subtype "reimbursement_to_company"'],
    ['invoice_payment', 'reimbursement_to_employee', 'with subtype "reimbursement_to_employee"'],
    ['constructor', 'toString', 'type "constructor" with subtype "toString"'],
  ])('type %s with subtype %s fails, and the reason names both', (type, subType, named) => {
    const plan = fail(itemOf({ ...shared, type, subType }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toContain(named);
  });

  it('an unknown method fails, and the reason names it with the type', () => {
    const plan = fail(itemOf({ ...shared, type: 'wallet_topup', method: 'barter' }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toBe(
      'The bookkeeping method "barter" of this entry of type "wallet_topup" is unknown: use "journal" or "accounts_payable".',
    );
  });
});

describe('types that post only their total', () => {
  it.each([
    'personal_spend',
    'direct_reimbursement',
    'external_reimbursement',
    'invoice_payment',
    'wallet_topup',
    'wallet_unload',
  ])('%s ignores accounts, tax and tags of its lines, but checks their sum', (type) => {
    const lines = [
      {
        amount: '700',
        account: '404',
        tags: ['NO=SUCH'],
        tax: { type: 'odd', amount: '-9999', code: '404' },
      },
      { amount: '300', account: null },
    ];
    expect(post(itemOf({ ...shared, type, lines })).entries[0]?.lines).toHaveLength(2);
    expect(fail(itemOf({ ...shared, type, lines: lines.slice(0, 1) })).message).toContain('(3.00 missing)');
  });
});
