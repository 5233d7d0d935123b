import { describe, expect, it } from '@jest/globals';
import { toErpAccountId, toErpTaxCodeId } from '../../../kernel/ids.js';
import type { FailureType } from '../item/posting-plan.js';
import { planItem } from '../item/plan-item.js';
import { companyData, contextWith, itemOf, itemVendor, vendor, type LineText } from '../item/planning.fixtures.js';

// An ERP that has several under one code: which of them is meant is not guessed, and none of them has to be created.

type Changes = Parameters<typeof contextWith>[0];
const twins: Changes = {
  accounts: [
    ...companyData.accounts,
    ...['1935', '5410'].map((code) => ({
      externalId: toErpAccountId(`twin-${code}`),
      code,
      name: 'Twin',
      active: true,
    })),
  ],
  taxCodes: [
    ...companyData.taxCodes,
    ...['1', '2'].map((id) => ({ externalId: toErpTaxCodeId(id), code: 'T25', name: 'Twin', active: true })),
  ],
  dimensions: [{ code: 'CC', active: true, values: ['x', 'X'].map((code) => ({ code, active: true })) }],
  vendors: ['V-1', 'V-2'].map((code) => vendor(code, { taxNumber: 'DE123456789' })),
};
const fee = (source: Omit<LineText, 'amount'>) =>
  itemOf({ type: 'fee', amount: '1000', lines: [{ amount: '1000', ...source }] });
const rule = { id: '7', subject: 'account', sourceKey: '6071', target: '5410' } as const;

describe('a code that the ERP has several times', () => {
  it.each<[what: string, ReturnType<typeof fee>, Changes, FailureType, says: string]>([
    [
      'of an account',
      fee({ account: '5410' }),
      { settings: { wallets: { EUR: '1930' } } },
      'account_unknown',
      'Line 1: the accounting system has several active accounts with the code of account 5410 (Name of 5410). Leave one of them active there, or add a mapping rule that names one by its id.',
    ],
    [
      'of a target of a rule',
      fee({ account: '6071' }),
      { settings: { wallets: { EUR: '1930' } }, rules: [rule] },
      'account_unknown',
      'Mapping rule 7 has the target 5410, and the accounting system has several active accounts under this code: leave one of them active there, or let the rule name one by its id.',
    ],
    [
      'of the account of a setting',
      fee({ account: '6071' }),
      {},
      'invalid_configuration',
      'The setting "Wallet (EUR)" names account 1935, and the accounting system has several active accounts with this code: leave one of them active there, or name one by its id at Set-up in the connector.',
    ],
    [
      'of a tax code',
      fee({ account: '6071', tax: { type: 'inclusive', amount: '200', code: 'T25' }, net: '800' }),
      { settings: { wallets: { EUR: '1930' } } },
      'tax_code_unknown',
      'Line 1: the accounting system has several active tax codes for tax code T25. Leave one of them active there, or add a mapping rule that names one by its id.',
    ],
    [
      'of a dimension value',
      fee({ account: '6071', tags: ['CC=x'] }),
      { settings: { wallets: { EUR: '1930' } } },
      'tag_unknown',
      'Line 1: the accounting system has several active dimension values for tag x of group CC, whose codes differ in case only. Leave one of them active there, or choose another tag on the platform.',
    ],
  ])('%s is no code to be created', (_, item, changes, type, says) => {
    expect(planItem(item, contextWith({ ...twins, ...changes }))).toMatchObject({
      outcome: 'fail',
      failureType: type,
      message: expect.stringContaining(says),
    });
  });

  it('of a vendor is none to be created', () => {
    const item = itemOf({
      type: 'invoice',
      method: 'accounts_payable',
      amount: '1000',
      vendor: itemVendor('V-0', { name: 'Papier', taxRegistrationNumber: 'DE123456789' }),
      lines: [{ amount: '1000', account: '6071' }],
    });
    expect(planItem(item, contextWith(twins))).toMatchObject({
      outcome: 'fail',
      message: expect.stringContaining(
        'Several vendors of the accounting system match vendor V-0 (Papier): correct them there, or give the vendor on the platform the code of one of them.',
      ),
    });
  });
});

it('a rule for the platform’s id of an account applies to one that has nothing else', () => {
  const rules = [{ id: '7', subject: 'account', sourceKey: 'p-1', target: '5410' } as const];
  const item = fee({ account: { id: 'p-1' } });
  expect(planItem(item, contextWith({ rules }))).toMatchObject({
    outcome: 'post',
    warnings: [],
    entries: [
      {
        lines: expect.arrayContaining([
          expect.objectContaining({ account: expect.objectContaining({ code: '5410' }) }),
        ]),
      },
    ],
  });
});
