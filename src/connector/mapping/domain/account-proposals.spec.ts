import { describe, expect, it } from '@jest/globals';
import { toErpAccountId } from '../../../kernel/ids.js';
import { proposeAccount } from './account-proposals.js';

const account = (code: string, name: string, active = true) => ({
  externalId: toErpAccountId(`id-${code}`),
  code,
  name,
  active,
});
const CHART = [
  account('1200', 'Bank'),
  account('1205', 'Bank (old)', false),
  account('1360', 'Firmenkarten'),
  account('1600', 'Verbindlichkeiten aus Lieferungen'),
  account('1740', 'Verbindlichkeiten gegenüber Mitarbeitern'),
  account('4900', 'Sonstiges'),
];

describe('the account proposed for', () => {
  it.each([
    ['company-bank', '/accounts/companyBank', '1200', ['1200'], 'setup.account.named'],
    ['company-bank-SEK', '/accounts/companyBankByCurrency/SEK', '1200', ['1200'], 'setup.account.named'],
    ['wallet-EUR', '/accounts/wallets/EUR', '1360', ['1360'], 'setup.account.named'],
    ['out-of-pocket', '/accounts/outOfPocket', '1740', ['1740'], 'setup.account.named'],
    // Two are called so: a person chooses.
    ['accounts-payable', '/accounts/accountsPayable', undefined, ['1600', '1740'], 'setup.account.several'],
    ['fx-rounding', '/accounts/fxRounding', undefined, ['1200', '1360', '1600', '1740', '4900'], 'setup.account.none'],
    [
      'fallback-fee',
      '/accounts/fallbackAccounts/fee',
      undefined,
      ['1200', '1360', '1600', '1740', '4900'],
      'setup.account.none',
    ],
  ])('%s, as %s', (setting, field, proposed, candidates, why) => {
    const found = proposeAccount(setting, CHART);
    expect([found.field, found.proposal?.code, found.candidates.map(({ code }) => code), found.why.code]).toEqual([
      field,
      proposed,
      candidates,
      why,
    ]);
  });

  it.each([
    ['company-bank', '1020'],
    ['wallet-EUR', '1010'],
    ['out-of-pocket', '2100'],
    ['fx-rounding', '4910'],
  ])('%s is of the kind that such an account is, where the accounting system says the kinds', (setting, code) => {
    const typed = [
      { ...account('1010', 'Expense wallet'), type: 'asset' },
      { ...account('1020', 'Bank, current account'), type: 'asset' },
      { ...account('2100', 'Owed to employees'), type: 'liability' },
      { ...account('4900', 'Bank and card account fees, wallet fees'), type: 'expense' },
      { ...account('4905', 'Gifts for employees'), type: 'expense' },
      { ...account('4910', 'Rounding'), type: 'expense' },
    ] as const;
    expect(proposeAccount(setting, typed).proposal?.code).toBe(code);
  });

  it('has ten candidates when there are many', () => {
    const many = Array.from({ length: 30 }, (_, index) => account(index.toString(), 'Bank'));
    expect(proposeAccount('company-bank', many).candidates).toHaveLength(10);
  });
});
