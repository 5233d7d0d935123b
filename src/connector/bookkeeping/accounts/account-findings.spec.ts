import { describe, expect, it } from '@jest/globals';
import { message } from '../../../kernel/message.js';
import type { ItemAccount, ItemVendor } from '../item/export-item.js';
import { Findings } from '../item/findings.js';
import type { Issue } from '../item/issues.js';
import { account, contextWith, currency, itemOf, itemVendor, line, vendor } from '../item/planning.fixtures.js';
import type { BookkeepingMethod, EntryForm } from '../entries/entry-forms.js';
import { resolveCounter } from './counter-accounts.js';
import { accountKey, describeAccount, resolveLineAccount } from './line-accounts.js';
import { resolveDimensions } from './line-dimensions.js';
import { named } from './named.js';
import { tagKeyOf, type MappingRule } from './rule-index.js';
import { configuredAccount, settingCatalog, settingMessage } from './settings-accounts.js';
import { decideTreatment } from './vendor-resolution.js';

type Changes = Parameters<typeof contextWith>[0];

const EUR = currency('EUR');
const purchase = itemOf({ type: 'card_purchase', amount: '1000' });
const scope = { itemType: 'card_purchase', tags: [] };

/** @returns what a step gives, with the type and the issue of each problem and the kinds of its warnings */
function tried<T>(step: (findings: Findings) => T) {
  const findings = new Findings();
  const result = step(findings);
  const problems = findings.problems.map(({ type, issue }) => [type, issue]);
  return { result, problems, warnings: findings.warnings.map(({ kind }) => kind) };
}

describe('a name in a message', () => {
  it.each([
    ['6071', 'Meals', { known: 'both', code: '6071', name: 'Meals' }],
    ['6071', undefined, { known: 'code', code: '6071', name: '' }],
    [undefined, 'Meals', { known: 'name', code: '', name: 'Meals' }],
  ])('of code %j and name %j', (code, name, parameters) => {
    expect(named(code, name)).toStrictEqual(message('reason.named', parameters));
  });

  it.each<[Omit<ItemAccount, 'id'>, string | undefined, string | undefined, string]>([
    [{ code: '6071', name: 'Meals' }, '6071', 'Meals', '6071'],
    [{ code: '6071', identifier: 'acc-1' }, '6071', undefined, '6071'],
    [{ code: ' ', identifier: ' acc-1 ', name: ' ' }, 'acc-1', undefined, 'acc-1'],
    [{ name: 'Meals' }, undefined, 'Meals', 'p-1'],
    [{}, undefined, 'p-1', 'p-1'],
  ])('of the account %j', (one, code, name, key) => {
    expect(describeAccount({ id: 'p-1', ...one })).toStrictEqual(named(code, name));
    expect(accountKey({ id: 'p-1', ...one })).toBe(key);
  });

  it.each([
    [settingCatalog.accountsPayable, 'accounts_payable', ''],
    [settingCatalog.companyBank, 'company_bank', ''],
    [settingCatalog.companyBankIn(EUR), 'company_bank_of', 'EUR'],
    [settingCatalog.fallback('card_purchase'), 'fallback_of', 'card_purchase'],
    [settingCatalog.wallet(EUR), 'wallet_of', 'EUR'],
  ])('of the setting %j', (entry, setting, of) => {
    expect(settingMessage(entry)).toStrictEqual(message('reason.named-setting', { setting, of }));
  });
});

it('the key of a tag is in lower case, without blanks around its parts', () => {
  expect(tagKeyOf({ groupCode: ' Team ', code: ' North East ' })).toBe('team\u0000north east');
});

describe('a configured account', () => {
  const bank = settingCatalog.companyBank;

  it.each<[string | undefined, string, Issue]>([
    [undefined, 'missing_configuration', { kind: 'setting-missing', reference: 'company-bank' }],
    ['', 'missing_configuration', { kind: 'setting-missing', reference: 'company-bank' }],
    ['9999', 'invalid_configuration', { kind: 'setting-invalid', reference: 'company-bank', name: '9999' }],
  ])('%j is a finding', (reference, type, issue) => {
    const found = tried((findings) => configuredAccount(bank, reference, contextWith(), findings));
    expect(found).toStrictEqual({ result: undefined, problems: [[type, issue]], warnings: [] });
  });
});

describe('a counter leg', () => {
  const decision = { by: 'setting', setting: 'Out-of-pocket' };
  const outOfPocket = { id: 'acc-2890', code: '2890', decision };
  const resolved = (leg: 'wallet' | 'out-of-pocket' | 'payables', item = purchase, owner = vendor('V-7')) =>
    tried((findings) => resolveCounter(leg, item, undefined, owner, contextWith(), findings));

  it('of a wallet in an unknown currency adds no finding of its own', () => {
    expect(resolved('wallet')).toStrictEqual({ result: undefined, problems: [], warnings: [] });
  });

  it('of an employee names the employee, without a warning', () => {
    const found = resolved('out-of-pocket', itemOf({ type: 'out_of_pocket', amount: '1000', employee: 'E-3' }));
    expect(found).toStrictEqual({ result: { account: outOfPocket, employee: 'E-3' }, problems: [], warnings: [] });
  });

  it('without an employee has the account only, with a warning', () => {
    const result = { account: outOfPocket };
    expect(resolved('out-of-pocket')).toStrictEqual({ result, problems: [], warnings: ['employee-missing'] });
  });

  it('of a vendor with an account of its own is decided by the vendor', () => {
    const found = resolved('payables', purchase, vendor('V-9', { payablesAccount: '2441' }));
    const decided = { id: 'acc-2441', code: '2441', decision: { by: 'vendor' } };
    const result = { account: decided, vendor: { id: 'erp-V-9', code: 'V-9' } };
    expect(found).toStrictEqual({ result, problems: [], warnings: [] });
  });

  it.each<[string, () => ReturnType<typeof resolved>, string, Issue]>([
    [
      'the contra account',
      () => resolved('wallet', itemOf({ type: 'card_purchase', amount: '1000', contra: '9999' })),
      'account_unknown',
      { kind: 'contra-account', reference: '9999' },
    ],
    [
      'the account of a vendor',
      () => resolved('payables', purchase, vendor('V-9', { payablesAccount: '9999' })),
      'invalid_configuration',
      { kind: 'vendor-account', reference: 'V-9', name: 'Vendor V-9' },
    ],
  ])('says what has to be resolved: %s', (_, found, type, issue) => {
    expect(found()).toStrictEqual({ result: undefined, problems: [[type, issue]], warnings: [] });
  });
});

describe('the account of a line', () => {
  const resolved = (one: ItemAccount, rules: readonly MappingRule[] = []) =>
    tried((findings) => resolveLineAccount(one, { line: 1, isNeeded: true, scope }, contextWith({ rules }), findings));

  it.each<[ItemAccount, Issue]>([
    [account('404'), { kind: 'account', reference: '404', name: 'Name of 404' }],
    [account('404', { name: ' ' }), { kind: 'account', reference: '404' }],
    [
      { id: 'p-1', identifier: 'gone', name: 'Meals' },
      { kind: 'account', reference: 'gone', name: 'Meals' },
    ],
    [
      { id: 'p-1', name: 'Meals' },
      { kind: 'account', reference: 'p-1', name: 'Meals' },
    ],
  ])('%j has to be resolved', (one, issue) => {
    expect(resolved(one)).toStrictEqual({ result: undefined, problems: [['account_unknown', issue]], warnings: [] });
  });

  it('is not found by a rule without a source key', () => {
    const rules: MappingRule[] = [{ id: '7', subject: 'account', sourceKey: '', target: '6110' }];
    const result = { id: 'acc-5410', code: '5410', decision: { by: 'code' } };
    expect(resolved(account('5410'), rules)).toStrictEqual({ result, problems: [], warnings: [] });
  });
});

describe('the tags of a line', () => {
  const resolved = (tags: readonly string[], changes: Changes = {}) =>
    tried((findings) => {
      const source = line({ amount: '1000', account: '5410', tags });
      return resolveDimensions(source, 1, scope, contextWith(changes), findings);
    });
  const rules: MappingRule[] = [
    {
      id: '7',
      subject: 'tag',
      source: { groupCode: 'CC', code: '100' },
      target: { groupCode: 'PROJ', code: 'P0' },
    },
  ];

  it.each<[string, readonly string[], Changes, string, Issue]>([
    ['a value that is not there', ['CC=404'], {}, 'tag_unknown', { kind: 'tag', group: 'CC', reference: '404' }],
    ['one of two', ['CC=100', 'CC=404'], {}, 'tag_unknown', { kind: 'tag', group: 'CC', reference: '404' }],
    ['the target of a rule', ['CC=100'], { rules }, 'tag_unknown', { kind: 'rule', reference: '7' }],
    [
      'two values of one dimension',
      ['CC=100', 'CC=200'],
      {},
      'validation_failure',
      { kind: 'entry', reference: 'two-dimension-values' },
    ],
  ])('give no dimension value where one has to be resolved: %s', (_, tags, changes, type, issue) => {
    expect(resolved(tags, changes)).toStrictEqual({ result: undefined, problems: [[type, issue]], warnings: [] });
  });
});

describe('the vendor of an item', () => {
  const form: EntryForm = { debit: 'lines', credit: 'wallet', sign: 'meaning', payable: 'document-and-payment' };
  const decided = (one: ItemVendor | undefined, changes: Changes = {}, method?: BookkeepingMethod) =>
    tried((findings) => {
      const item = itemOf({ type: 'card_purchase', amount: '1000', ...(one && { vendor: one }) });
      return decideTreatment(item, form, method, contextWith(changes), findings);
    });

  it('is not looked for where the method is unknown', () => {
    const found = { result: { kind: 'undecided' }, problems: [], warnings: [] };
    expect(decided(itemVendor('V-404'))).toStrictEqual(found);
    expect(decided(itemVendor('V-7'))).toStrictEqual(found);
  });

  it.each<[string, ItemVendor | undefined, Changes, Issue]>([
    ['that is missing', undefined, {}, { kind: 'entry', reference: 'vendor' }],
    ['that is unknown', itemVendor('V-404'), {}, { kind: 'vendor', reference: 'V-404', name: 'Vendor V-404' }],
    [
      'that has only an external id',
      { id: 'p', name: 'Acme', code: ' ', externalId: 'X-1' },
      {},
      { kind: 'vendor', reference: 'X-1', name: 'Acme' },
    ],
    ['that has only a name', { id: 'p', name: 'Acme' }, {}, { kind: 'vendor', reference: 'Acme', name: 'Acme' }],
    [
      'that is blocked',
      itemVendor('V-7'),
      { vendors: [vendor('V-7', { blocked: true })] },
      { kind: 'vendor-blocked', reference: 'V-7', name: 'Vendor V-7' },
    ],
  ])('%s has to be resolved', (_, one, changes, issue) => {
    const problems = [['vendor_unknown', issue]];
    const found = { result: { kind: 'undecided' }, problems, warnings: [] };
    expect(decided(one, changes, 'accounts_payable')).toStrictEqual(found);
  });

  it.each([
    ['V-404', 'V-404'],
    [' V-404 ', 'V-404'],
    [null, ''],
  ])('of code %j stands in until it is created', (code, kept) => {
    const toCreate: ItemVendor = { id: 'p', name: 'Acme', code };
    const standIn = { id: 'vendor to be created', code: kept, name: 'Acme', blocked: false, isEmployee: false };
    const found = decided(toCreate, { policies: { unknownVendor: 'create' } }, 'accounts_payable');
    const result = { kind: 'payable', vendor: standIn, toCreate };
    expect(found).toStrictEqual({ result, problems: [], warnings: [] });
  });

  it('is the linked one, whatever else matches', () => {
    const vendorsByPlatformId = new Map([['platform-V-7', vendor('V-8')]]);
    const found = decided(itemVendor('V-7'), { vendorsByPlatformId }, 'accounts_payable');
    expect(found.result).toStrictEqual({ kind: 'payable', vendor: vendor('V-8') });
  });
});
