import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MasterAccount } from '../../bookkeeping/item/master-data.js';
import { planAccounts, type AccountStep, type PlatformAccount } from './plan-accounts.js';

const erp = (changes: Partial<MasterAccount> = {}): MasterAccount => ({
  externalId: 'e-5410',
  code: '5410',
  name: 'Consumables',
  active: true,
  ...changes,
});

const platform = (changes: Partial<PlatformAccount> = {}): PlatformAccount => ({
  id: 'p-1',
  externalId: 'e-5410',
  code: '5410',
  name: 'Consumables',
  archived: false,
  taxCodeExternalId: null,
  metadata: null,
  ...changes,
});

const actions = (
  left: readonly MasterAccount[],
  right: readonly PlatformAccount[],
  taxCodes: readonly string[] = ['I25'],
) => planAccounts(left, right, new Set(taxCodes)).steps.map(({ action, key }) => `${action} ${key}`);

describe('accounts, matched by externalId only', () => {
  it.each([
    ['the same', erp(), platform(), []],
    ['another name', erp({ name: 'Supplies' }), platform(), ['update e-5410']],
    ['another code', erp({ code: '5411' }), platform(), ['update e-5410']],
    ['archived there', erp(), platform({ archived: true }), ['unarchive e-5410']],
    ['inactive here', erp({ active: false }), platform(), ['archive e-5410']],
    ['inactive here, archived there', erp({ active: false }), platform({ archived: true }), []],
    ['the same code, another id', erp(), platform({ externalId: 'other' }), ['archive other', 'create e-5410']],
    ['a name that is only longer', erp({ name: 'x'.repeat(300) }), platform({ name: 'x'.repeat(255) }), []],
    ['blanks around the name', erp({ name: ' Consumables ' }), platform(), []],
    ['a tax code', erp({ taxCode: 'I25' }), platform(), ['update e-5410']],
    ['the same tax code', erp({ taxCode: 'I25' }), platform({ taxCodeExternalId: 'I25' }), []],
    ['no tax code any more', erp({ taxCode: null }), platform({ taxCodeExternalId: 'I25' }), ['update e-5410']],
    ['nothing said of tax codes', erp(), platform({ taxCodeExternalId: 'I25' }), []],
  ])('%s', (_, left, right, expected) => {
    expect(actions([left], [right])).toEqual(expected);
  });

  it('keeps foreign metadata, and restores a removed account', () => {
    const metadata = { owner: 'somebody' };
    const right = platform({ metadata, taxCodeExternalId: 'I25' });
    const [update] = planAccounts([erp({ name: 'Supplies' })], [right], new Set(['I25'])).steps;
    expect(update).toMatchObject({
      content: { name: 'Supplies', archived: false, taxCodeExternalId: 'I25', metadata },
    });
    const [archive] = planAccounts([], [right], new Set()).steps;
    expect(archive).toMatchObject({
      content: { name: 'Consumables', code: '5410', archived: true, taxCodeExternalId: null, metadata },
    });
  });

  it('omits a tax code that the platform does not know, and reports it', () => {
    const { steps, problems } = planAccounts([erp({ taxCode: 'I25' })], [platform()], new Set());
    expect(steps).toEqual([]);
    expect(problems).toMatchObject([{ key: 'e-5410', detail: expect.stringContaining('I25') }]);
  });

  it.each([
    ['an empty id', [erp({ externalId: ' ' })]],
    ['an id that is too long', [erp({ externalId: 'x'.repeat(256) })]],
    ['a code that is too long', [erp({ code: 'x'.repeat(256) })]],
    ['the same id again', [erp(), erp({ code: '5411' })]],
  ])('reports a problem: %s', (_, left) => {
    const { steps, problems } = planAccounts(left, [platform()].slice(0, left.length - 1), new Set());
    expect(problems).toHaveLength(1);
    expect(steps).toEqual([]);
  });
});

describe('from any two states', () => {
  const codes = fc.constantFrom('1', '2', '3', '4', '5', '');
  const names = fc.constantFrom('Alpha', 'Beta', '', ' Beta ', 'y'.repeat(300));
  const taxes = fc.constantFrom('I25', 'I12', null);
  const left: fc.Arbitrary<readonly MasterAccount[]> = fc.array(
    fc.record({ externalId: codes, code: codes, name: names, active: fc.boolean() }).chain((account) =>
      fc.oneof(
        fc.constant(account),
        taxes.map((taxCode) => ({ ...account, taxCode })),
      ),
    ),
  );
  const right: fc.Arbitrary<readonly PlatformAccount[]> = fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      externalId: codes,
      code: fc.option(codes, { nil: null }),
      name: names,
      archived: fc.boolean(),
      taxCodeExternalId: taxes,
      metadata: fc.constantFrom(null, { a: 1 }),
    }),
    { selector: ({ externalId }) => externalId },
  );

  it('one run reaches the fixpoint and a second plans nothing', () => {
    fc.assert(
      fc.property(left, right, fc.subarray(['I25', 'I12']), (ours, theirs, known) => {
        const taxCodes = new Set(known);
        const after = carriedOut(planAccounts(ours, theirs, taxCodes).steps, theirs);
        expect(planAccounts(ours, after, taxCodes).steps).toEqual([]);
        const live = after.filter(({ archived }) => !archived).map(({ externalId }) => externalId);
        const wanted = ours.filter(({ active, externalId }) => active && externalId !== '');
        expect(new Set(live)).toEqual(new Set(wanted.map(({ externalId }) => externalId)));
        expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(theirs.map(({ id }) => id)));
      }),
    );
  });
});

function carriedOut(
  steps: readonly AccountStep[],
  platformAccounts: readonly PlatformAccount[],
): readonly PlatformAccount[] {
  const after = new Map(platformAccounts.map((account) => [account.id, account]));
  for (const step of steps) {
    const id = step.action === 'create' ? `new-${step.key}` : step.id;
    after.set(id, { id, externalId: step.key, ...step.content });
  }
  return [...after.values()];
}
