import { describe, expect, it } from '@jest/globals';
import { account, contextWith, fail, itemOf, linesOf, onlyEntry, post } from '../item/planning.fixtures.js';

const purchase = { type: 'card_purchase', amount: '1000' };

describe('the wallet', () => {
  it.each([
    ['identifier', account('404', { identifier: 'acc-1936' }), '1936'],
    ['code', account('1936', { identifier: 'gone' }), '1936'],
    ['identifier before code', account('1937', { identifier: 'acc-1936' }), '1936'],
  ])('is the contra account by %s', (_, contraAccount, code) => {
    const entry = onlyEntry(post(itemOf({ ...purchase, contraAccount })));
    expect(linesOf(entry)).toEqual(['5410 +1000', `${code} -1000`]);
    expect(entry.lines[1]?.account.decision).toEqual({ by: 'contra-account' });
  });

  it.each([null, { id: 'c', name: 'Wallet' }, { id: 'c', code: ' ', identifier: '' }])(
    'is the configured one where the contra account is %j',
    (contraAccount) => {
      const entry = onlyEntry(post(itemOf({ ...purchase, contraAccount })));
      expect(linesOf(entry)).toEqual(['5410 +1000', '1935 -1000']);
      expect(entry.lines[1]?.account.decision).toEqual({ by: 'setting', setting: 'Wallet (EUR)' });
    },
  );

  it('an inactive contra account is not replaced by the configured one', () => {
    const plan = fail(itemOf({ ...purchase, contra: '9999' }));
    expect(plan.failureType).toBe('account_unknown');
    expect(plan.message).toContain('The contra account 9999 (Name of 9999)');
  });

  it('a contra account that the type does not use is not checked', () => {
    expect(linesOf(onlyEntry(post(itemOf({ type: 'out_of_pocket', amount: '1000', contra: '404' }))))).toEqual([
      '5410 +1000',
      '2890 -1000',
    ]);
  });

  it('fails when it is missing for the currency', () => {
    const plan = fail(itemOf({ ...purchase, currency: 'USD' }));
    expect(plan.failureType).toBe('missing_configuration');
    expect(plan.message).toBe('No account is set for "Wallet (USD)": choose one at Set-up in the connector.');
  });
});

describe('configured accounts', () => {
  it.each([
    ['Wallet (EUR)', 'card_purchase', { wallets: { EUR: '9999' } }],
    ['Out-of-pocket', 'out_of_pocket', { outOfPocket: '9999' }],
    ['Company bank', 'wallet_topup', { companyBank: '9999' }],
    ['Company bank (EUR)', 'wallet_topup', { companyBankByCurrency: { EUR: '9999' } }],
    ['Accounts payable', 'invoice', { accountsPayable: '9999' }],
  ])('%s is inactive in the ERP', (setting, type, settings) => {
    const plan = fail(itemOf({ type, amount: '1000' }), contextWith({ settings }));
    expect(plan.failureType).toBe('invalid_configuration');
    expect(plan.message).toBe(
      `The setting "${setting}" names account 9999, which is not active in the accounting system: choose another at Set-up in the connector, or activate it in the accounting system.`,
    );
  });

  it.each([
    ['Out-of-pocket', 'out_of_pocket', 'outOfPocket'],
    ['Company bank', 'wallet_topup', 'companyBank'],
    ['Accounts payable', 'invoice', 'accountsPayable'],
  ] as const)('%s is not set', (setting, type, name) => {
    const plan = fail(itemOf({ type, amount: '1000' }), contextWith({ without: [name] }));
    expect(plan.failureType).toBe('missing_configuration');
    expect(plan.message).toContain(`No account is set for "${setting}"`);
  });

  it('an account that is not needed may be missing', () => {
    const without = ['outOfPocket', 'companyBank', 'accountsPayable', 'fxRounding', 'realizedFx'] as const;
    expect(post(itemOf(purchase), contextWith({ without })).outcome).toBe('post');
  });

  it('the company bank of the currency takes precedence over the general one', () => {
    const context = contextWith({ settings: { companyBankByCurrency: { EUR: '1936' } } });
    expect(linesOf(onlyEntry(post(itemOf({ type: 'wallet_topup', amount: '1000' }), context)))).toEqual([
      '1935 +1000',
      '1936 -1000',
    ]);
  });

  it('are found by the ERP’s id or by the code', () => {
    const context = contextWith({ settings: { wallets: { EUR: 'acc-1936' } } });
    expect(linesOf(onlyEntry(post(itemOf(purchase), context)))[1]).toBe('1936 -1000');
  });
});

describe('the employee on out-of-pocket lines', () => {
  it.each([
    [{ id: 'u-1', name: 'Ann', code: 'E-3' }, '2890·E-3 -1000'],
    [{ id: 'u-1', name: 'Ann', code: ' ' }, '2890·u-1 -1000'],
    [{ id: 'u-1', name: 'Ann', code: null }, '2890·u-1 -1000'],
  ])('%j', (user, expected) => {
    expect(linesOf(onlyEntry(post(itemOf({ type: 'out_of_pocket', amount: '1000', user }))))[1]).toBe(expected);
  });

  it('without a vendor or employee: posted with a warning', () => {
    const plan = post(itemOf({ type: 'personal_spend', amount: '1000' }));
    expect(plan.warnings).toMatchObject([
      {
        kind: 'employee-missing',
        message: 'The entry names no person: the line on "Out-of-pocket" was posted without an employee.',
      },
    ]);
  });

  it('is absent from all other lines', () => {
    const entry = onlyEntry(post(itemOf({ ...purchase, employee: 'E-3' })));
    expect(entry.lines.map((line) => line.employee)).toEqual([undefined, undefined]);
  });
});
