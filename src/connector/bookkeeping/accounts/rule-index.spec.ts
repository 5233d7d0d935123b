import { describe, expect, it } from '@jest/globals';
import type { BookkeepingContext } from '../item/bookkeeping-context.js';
import type { ItemAccount, ItemLine } from '../item/export-item.js';
import type { PlannedLine } from '../item/posting-plan.js';
import { account, contextWith, fail, itemOf, line, linesOf, onlyEntry, post, tag } from '../item/planning.fixtures.js';
import { findRule, indexRules, tagKeyOf, type MappingRule } from './rule-index.js';

function purchaseOf(accountOrCode: string | ItemAccount | null, tags: readonly string[] = []) {
  return itemOf({
    type: 'card_purchase',
    amount: '1000',
    lines: [{ amount: '1000', account: accountOrCode, tags }],
  });
}

function firstLine(item: ReturnType<typeof purchaseOf>, context?: BookkeepingContext): PlannedLine | undefined {
  return onlyEntry(post(item, context)).lines[0];
}

const rule = (id: string, target: string, when?: MappingRule['when']): MappingRule => ({
  id,
  subject: 'account',
  sourceKey: '5410',
  target,
  ...(when && { when }),
});

describe('accounts without a rule', () => {
  it.each([
    ['identifier', account('404', { identifier: 'acc-6110' }), '6110', 'identifier'],
    ['identifier before code', account('5410', { identifier: 'acc-6110' }), '6110', 'identifier'],
    ['code', account('6110'), '6110', 'code'],
    ['code when the identifier is inactive', account('6110', { identifier: 'acc-9999' }), '6110', 'code'],
    ['code with blanks around', account(' 6110 '), '6110', 'code'],
  ])('match by %s', (_, source, code, by) => {
    expect(firstLine(purchaseOf(source))?.account).toEqual({ id: `acc-${code}`, code, decision: { by } });
  });

  it.each([
    ['404', '404 (Name of 404)'],
    ['9999', '9999 (Name of 9999)'],
  ])('%s is not active in the ERP', (code, named) => {
    const plan = fail(purchaseOf(code));
    expect(plan.failureType).toBe('account_unknown');
    expect(plan.message).toBe(
      `Line 1: account ${named} is not active in the accounting system. Create or activate it there, choose another category on the platform, or add a mapping rule.`,
    );
  });

  it('an account given by name only is not replaced by a fallback', () => {
    const source = { id: 'p-1', name: 'Meals', code: null, identifier: null };
    const context = contextWith({ settings: { fallbackAccounts: { card_purchase: '6570' } } });
    const plan = fail(purchaseOf(source), context);
    expect(plan.failureType).toBe('account_unknown');
    expect(plan.message).toContain('account "Meals" (which has no code)');
  });

  it('two active accounts with the same code count as no match', () => {
    const twin = { code: '5410', name: 'Twin', active: true };
    const accounts = contextWith().accounts.concat(
      contextWith()
        .accounts.slice(0, 1)
        .map((one) => ({ ...one, ...twin })),
    );
    expect(fail(purchaseOf('5410'), contextWith({ accounts })).failureType).toBe('account_unknown');
  });
});

describe('fallback accounts', () => {
  const context = contextWith({ settings: { fallbackAccounts: { card_purchase: '6570' } } });

  it.each([null, { id: 'p-1', name: ' ', code: '', identifier: null }])('replace %j, with a warning', (source) => {
    const plan = post(purchaseOf(source), context);
    expect(linesOf(onlyEntry(plan))).toEqual(['6570 +1000', '1935 -1000']);
    expect(onlyEntry(plan).lines[0]?.account.decision).toEqual({ by: 'fallback' });
    expect(plan.warnings).toMatchObject([
      { kind: 'fallback-account', message: 'Line 1 names no account: the fallback account 6570 was used.' },
    ]);
  });

  it('do not replace an account that is named', () => {
    expect(fail(purchaseOf('404'), context).failureType).toBe('account_unknown');
  });

  it('depend on the item type', () => {
    const plan = fail(purchaseOf(null));
    expect(plan.failureType).toBe('account_unknown');
    expect(plan.message).toBe(
      'Line 1 names no account: choose a category for it on the platform, or set a fallback account for entries of type "card_purchase" at Set-up in the connector.',
    );
  });

  it('must be active', () => {
    const inactive = contextWith({ settings: { fallbackAccounts: { card_purchase: '9999' } } });
    const plan = fail(purchaseOf(null), inactive);
    expect(plan.failureType).toBe('invalid_configuration');
    expect(plan.message).toContain('The setting "Fallback account (card_purchase)" names account 9999');
  });
});

describe('explicit rules', () => {
  const plain = rule('plain', '6110');
  const byType = rule('by-type', '5611', { itemType: 'card_purchase' });
  const byCc = rule('by-cc', '4010', { itemType: 'card_purchase', tag: { groupCode: 'cc', code: '100' } });
  const byProject = rule('by-project', '6540', {
    itemType: 'card_purchase',
    tag: { groupCode: 'PROJ', code: 'P1' },
  });
  const otherType = rule('other-type', '7690', { itemType: 'fee' });
  const all = [plain, byType, byCc, byProject, otherType];

  it.each([
    ['source key', [plain], [], '6110', 'plain'],
    ['source key and type', [plain, byType], [], '5611', 'by-type'],
    ['source key, type and tag', all, ['CC=100'], '4010', 'by-cc'],
    ['the first of the line’s tags', all, ['PROJ=P1', 'CC=100'], '6540', 'by-project'],
    ['the other order of tags', all, ['CC=100', 'PROJ=P1'], '4010', 'by-cc'],
    ['a tag without a rule is passed over', all, ['CC=200'], '5611', 'by-type'],
    ['a rule of another type is passed over', [plain, otherType], [], '6110', 'plain'],
  ])('apply the most specific first: %s', (_, rules, tags, code, ruleId) => {
    const entry = onlyEntry(post(purchaseOf('5410', tags), contextWith({ rules })));
    expect(entry.lines[0]?.account).toEqual({ id: `acc-${code}`, code, decision: { by: 'rule', ruleId } });
    expect(entry.mappingVersion).toBe(4);
  });

  it.each([
    ['identifier', { identifier: '5410', code: 'x' }],
    ['code', { identifier: 'x', code: '5410' }],
    ['platform id', { id: '5410', code: null }],
  ])('use the %s as source key', (_, names) => {
    const source = { ...account('x'), ...names };
    expect(firstLine(purchaseOf(source), contextWith({ rules: [plain] }))?.account.code).toBe('6110');
  });

  it.each(['404', '9999'])('a rule that maps to account %s fails and is not skipped', (target) => {
    const plan = fail(
      purchaseOf('5410'),
      contextWith({ rules: [rule('bad', target, { itemType: 'card_purchase' }), plain] }),
    );
    expect(plan.failureType).toBe('account_unknown');
    expect(plan.message).toBe(
      `Mapping rule bad sends account 5410 (Name of 5410) to account ${target}, which is not active in the accounting system: correct the rule in the connector's mapping.`,
    );
  });

  it('a rule to a missing target from a missing account is reported as one problem', () => {
    const rules: MappingRule[] = [{ id: 'r', subject: 'account', sourceKey: '404', target: '405' }];
    expect(fail(purchaseOf('404'), contextWith({ rules })).problems).toHaveLength(1);
  });

  it('do not apply to the contra account', () => {
    const rules: MappingRule[] = [{ id: 'r', subject: 'account', sourceKey: '1936', target: '1937' }];
    const item = itemOf({ type: 'card_purchase', amount: '1000', contra: '1936' });
    expect(linesOf(onlyEntry(post(item, contextWith({ rules }))))).toEqual(['5410 +1000', '1936 -1000']);
  });
});

describe('rules for tax codes', () => {
  const taxed = (code: string | null) =>
    itemOf({
      type: 'card_purchase',
      amount: '1000',
      lines: [{ amount: '1000', account: '5410', tax: { type: 'inclusive', amount: '200', code, id: 'tax-1' } }],
    });

  it.each([
    ['the code', 'DK25', 'DK25'],
    ['the id', 'DK25', 'tax-1'],
    ['the id of a tax without a code', null, 'tax-1'],
  ])('by %s', (_, code, sourceKey) => {
    const rules: MappingRule[] = [{ id: 't', subject: 'tax-code', sourceKey, target: 'tax-25' }];
    const entry = onlyEntry(post(taxed(code), contextWith({ rules })));
    expect(entry.lines[0]?.taxCode).toEqual({
      id: 'tax-25',
      code: '25',
      decision: { by: 'rule', ruleId: 't' },
    });
    expect(linesOf(entry)).toEqual(['5410 +800', '2641 +200', '1935 -1000']);
  });

  it('a rule to a tax code that was deleted fails', () => {
    const rules: MappingRule[] = [{ id: 't', subject: 'tax-code', sourceKey: '25', target: 'OLD' }];
    const plan = fail(taxed('25'), contextWith({ rules }));
    expect(plan.failureType).toBe('tax_code_unknown');
    expect(plan.message).toContain('Mapping rule t sends tax code 25 to tax code OLD');
  });
});

describe('tags', () => {
  it.each([
    ['CC=100', { dimension: 'CC', value: '100' }],
    ['cc=nord', { dimension: 'CC', value: 'Nord' }],
  ])('%s matches case-insensitively', (text, value) => {
    expect(firstLine(purchaseOf('5410', [text]))?.dimensions).toEqual([{ ...value, decision: { by: 'code' } }]);
  });

  it.each([
    ['values', [{ code: 'CC', values: ['nord', 'Nord'] }]],
    [
      'dimensions',
      [
        { code: 'CC', values: ['Nord'] },
        { code: 'cc', values: ['Nord'] },
      ],
    ],
  ])('two %s whose codes differ in case only count as none, active ones alone', (_, twins) => {
    const dimensions = (isActive: (code: string) => boolean) =>
      twins.map(({ code, values }) => ({
        code,
        active: isActive(code),
        values: values.map((value) => ({ code: value, active: isActive(value) })),
      }));
    const item = purchaseOf('5410', ['CC=Nord']);
    expect(fail(item, contextWith({ dimensions: dimensions(() => true) })).failureType).toBe('tag_unknown');
    const alone = contextWith({ dimensions: dimensions((code) => code === 'CC' || code === 'Nord') });
    expect(firstLine(item, alone)?.dimensions).toMatchObject([{ dimension: 'CC', value: 'Nord' }]);
  });

  it('are set on expense lines only', () => {
    const tax = { type: 'inclusive', amount: '200' };
    const lines = [{ amount: '1000', account: '5410', tags: ['CC=100', 'PROJ=P1'], tax }];
    expect(linesOf(onlyEntry(post(itemOf({ type: 'card_purchase', amount: '1000', lines }))))).toEqual([
      '5410 +800 {CC:100 PROJ:P1}',
      '2641 +200',
      '1935 -1000',
    ]);
  });

  it.each(['CC=404', 'PROJ=P0', 'GONE=1', 'NEW=1'])('%s is not active in the ERP', (text) => {
    const plan = fail(purchaseOf('5410', [text]));
    const { groupCode, code } = tag(text);
    expect(plan.failureType).toBe('tag_unknown');
    expect(plan.message).toContain(`Line 1: tag ${code} of group ${groupCode} is not an active dimension value`);
  });

  it('two different values of one dimension fail, one repeated value does not', () => {
    const plan = fail(purchaseOf('5410', ['CC=100', 'cc=200']));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toContain('Line 1 has two values of dimension CC, 100 and 200');
    expect(firstLine(purchaseOf('5410', ['CC=100', 'cc=100']))?.dimensions).toHaveLength(1);
  });

  it('empty elements of the list are skipped', () => {
    const withGaps: ItemLine = {
      ...line({ amount: '1000', account: '5410' }),
      tags: [null, tag('CC=100'), undefined],
    };
    const item = { ...purchaseOf('5410'), accountingEntryLines: [withGaps] };
    expect(firstLine(item)?.dimensions).toHaveLength(1);
  });

  it('a rule sends a tag to another dimension', () => {
    const source = { groupCode: 'Team', code: 'Sales' };
    const rules: MappingRule[] = [{ id: 'd', subject: 'tag', source, target: { groupCode: 'CC', code: '200' } }];
    expect(firstLine(purchaseOf('5410', ['TEAM=sales']), contextWith({ rules }))?.dimensions).toEqual([
      { dimension: 'CC', value: '200', decision: { by: 'rule', ruleId: 'd' } },
    ]);
  });

  it('a rule to a value that was deleted fails', () => {
    const source = { groupCode: 'CC', code: '100' };
    const rules: MappingRule[] = [{ id: 'd', subject: 'tag', source, target: { groupCode: 'PROJ', code: 'P0' } }];
    const plan = fail(purchaseOf('5410', ['CC=100']), contextWith({ rules }));
    expect(plan.failureType).toBe('tag_unknown');
    expect(plan.message).toContain('Mapping rule d sends tag 100 of group CC to value P0 of dimension PROJ');
  });
});

describe('a rule whose source the platform writes in another form of Unicode', () => {
  const inTwo = (text: string) => text.normalize('NFD');
  const team = (written: (text: string) => string) => ({ groupCode: written('Büro'), code: written('Süd') });

  it('decides its account', () => {
    const rules: readonly MappingRule[] = [{ id: '1', subject: 'account', sourceKey: 'Büro', target: '6110' }];
    expect(firstLine(purchaseOf(inTwo('Büro')), contextWith({ rules }))?.account).toMatchObject({
      code: '6110',
      decision: { by: 'rule', ruleId: '1' },
    });
  });

  it('decides its tag', () => {
    const target = { groupCode: 'CC', code: '100' };
    const tagRule: MappingRule = { id: '1', subject: 'tag', source: team(String), target };
    const { tags } = indexRules([tagRule]);
    expect(findRule(tags, [tagKeyOf(team(inTwo))], { itemType: 'fee', tags: [] })).toBe(tagRule);
  });
});
