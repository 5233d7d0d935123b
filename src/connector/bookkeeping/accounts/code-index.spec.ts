import { describe, expect, it } from '@jest/globals';
import { toErpAccountId, toErpTaxCodeId, toErpVendorId } from '../../../kernel/ids.js';
import { targetProblem, targetsIn } from '../../mapping/domain/targets.js';
import { ruleOf } from '../../mapping/domain/rules.fixtures.js';
import { indexContext } from '../item/bookkeeping-context.js';
import { companyData } from '../item/planning.fixtures.js';
import { accountOnItem } from './line-accounts.js';
import { activeAccount } from './settings-accounts.js';
import { matchVendor } from './vendor-resolution.js';

const inTwo = 'Büro'.normalize('NFD');
const inOne = inTwo.normalize('NFC');

describe.each([
  ['in two characters', inTwo, inOne],
  ['in one character', inOne, inTwo],
])('an ERP that writes an “ü” %s, and others do not', (_, itsOwn, others) => {
  const own = { externalId: toErpAccountId(itsOwn), code: itsOwn, name: 'Office', active: true };
  const taxCode = { ...own, externalId: toErpTaxCodeId('tax'), rate: '0.25', deductible: '1' };
  const data = {
    ...companyData,
    accounts: [own],
    taxCodes: [taxCode],
    vendors: [{ id: toErpVendorId('v'), code: itsOwn, name: 'Papier', blocked: false, isEmployee: false }],
  };
  const context = indexContext({ ...data, rates: [], rules: [], mappingVersion: 0 });
  const targets = targetsIn(data, { accounts: data.settings, policies: data.policies });

  it('finds its account by a setting, by an item and by a rule', () => {
    expect(activeAccount(others, context)).toBe(own);
    expect(accountOnItem({ id: '1', code: others }, context)?.code).toBe(itsOwn);
    expect(accountOnItem({ id: '1', identifier: others }, context)?.code).toBe(itsOwn);
    expect(targetProblem(ruleOf({ subject: 'account', source: '1', target: others }), targets)).toBeUndefined();
  });

  it('finds its tax code and its vendor', () => {
    expect(targetProblem(ruleOf({ subject: 'tax-code', source: '1', target: others }), targets)).toBeUndefined();
    expect(matchVendor({ id: '1', name: 'Other', code: others }, context)?.code).toBe(itsOwn);
  });

  it('says of an account that is closed that it is', () => {
    const closed = targetsIn(
      { ...data, accounts: [{ ...own, active: false }] },
      { accounts: data.settings, policies: data.policies },
    );
    const rule = ruleOf({ subject: 'account', source: '1', target: others });
    expect(targetProblem(rule, closed)?.code).toBe('target-inactive');
  });
});
