import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MasterTaxCode } from '../../bookkeeping/item/master-data.js';
import { planTaxCodes, type PlatformTaxCode, type TaxCodeStep } from './plan-tax-codes.js';

const erp = (changes: Partial<MasterTaxCode> = {}): MasterTaxCode => ({
  code: 'I25',
  name: '25 %',
  rate: '0.25',
  active: true,
  inputAccount: '2641',
  ...changes,
});

const platform = (changes: Partial<PlatformTaxCode> = {}): PlatformTaxCode => ({
  id: 'p-1',
  name: '25 %',
  code: 'I25',
  rate: 0.25,
  type: 'inclusive',
  archived: false,
  ingoingTaxAccount: '2641',
  outgoingTaxAccount: null,
  ...changes,
});

const actions = (left: readonly MasterTaxCode[], right: readonly PlatformTaxCode[]) =>
  planTaxCodes(left, right).steps.map((step) => `${step.action} ${'id' in step ? step.id : step.key}`);

describe('tax codes, matched by code', () => {
  it.each([
    ['the same', [erp()], [platform()], []],
    ['the same rate in another spelling', [erp({ rate: '0.250' })], [platform()], []],
    ['another rate', [erp({ rate: '0.24' })], [platform()], ['update p-1']],
    ['another account', [erp({ outputAccount: '2611' })], [platform()], ['update p-1']],
    [
      'an account that a person has entered, where the ERP has none',
      [erp()],
      [platform({ outgoingTaxAccount: '2611' })],
      [],
    ],
    ['a kind that a person has corrected', [erp()], [platform({ type: 'reverse' })], []],
    ['a kind that the ERP says', [erp({ type: 'inclusive' })], [platform({ type: 'reverse' })], ['update p-1']],
    ['a kind that the platform takes from no client', [erp()], [platform({ type: 'exclusive' })], ['update p-1']],
    ['gone', [], [platform()], ['archive p-1']],
    ['gone and archived', [], [platform({ archived: true })], []],
    ['back again', [erp()], [platform({ archived: true })], ['unarchive p-1']],
    ['new', [erp()], [], ['create I25']],
    ['without a code there', [erp()], [platform({ code: null })], ['archive p-1', 'create I25']],
    [
      'twice there: the right name stays',
      [erp()],
      [platform({ name: 'Old' }), platform({ id: 'p-2' })],
      ['archive p-1'],
    ],
    [
      'twice there, the right name archived',
      [erp()],
      [platform({ name: 'Old' }), platform({ id: 'p-2', archived: true })],
      ['archive p-1', 'unarchive p-2'],
    ],
  ])('%s', (_, left, right, expected) => {
    expect(actions(left, right)).toEqual(expected);
  });

  it.each([
    ['25', 'a percentage'],
    ['-0.1', 'negative'],
    ['none', 'no number'],
    ['', 'nothing'],
  ])('does not sync the rate %j (%s)', (rate) => {
    const { steps, problems } = planTaxCodes([erp({ rate })], []);
    expect(steps).toEqual([]);
    expect(problems).toMatchObject([{ key: 'I25' }]);
  });

  it('one run reaches the fixpoint and a second plans nothing', () => {
    const code = fc.constantFrom('A', 'B', 'C');
    const name = fc.constantFrom('x', 'y', '');
    const left = fc.array(fc.record({ code, name, rate: fc.constantFrom('0.25', '0.1', '7'), active: fc.boolean() }));
    const right = fc.uniqueArray(
      fc.record({
        id: fc.uuid(),
        code: fc.option(code, { nil: null }),
        name,
        rate: fc.constantFrom(0.25, 0.1),
        type: fc.constantFrom('inclusive', 'exclusive', 'reverse'),
        archived: fc.boolean(),
        ingoingTaxAccount: fc.constantFrom(null, '2641'),
        outgoingTaxAccount: fc.constant(null),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(left, right, (ours, theirs) => {
        const after = carriedOut(planTaxCodes(ours, theirs).steps, theirs);
        expect(planTaxCodes(ours, after).steps).toEqual([]);
        const live = after.filter(({ archived }) => !archived).map((each) => each.code);
        expect(new Set(live).size).toBe(live.length);
      }),
    );
  });
});

function carriedOut(
  steps: readonly TaxCodeStep[],
  platformCodes: readonly PlatformTaxCode[],
): readonly PlatformTaxCode[] {
  const after = new Map(platformCodes.map((taxCode) => [taxCode.id, taxCode]));
  for (const step of steps) {
    const id = step.action === 'create' ? `new-${step.key}` : step.id;
    after.set(id, { id, ...step.content });
  }
  return [...after.values()];
}
