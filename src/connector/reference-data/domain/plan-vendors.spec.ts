import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CurrencyCode } from '../../../kernel/currency.js';
import { parseCurrency } from '../../../kernel/currency.js';
import type { MasterVendor } from '../../bookkeeping/item/master-data.js';
import type { PlatformVendor, VendorDecision } from './link-vendors.js';
import { itemVendorOf, planActivation, planVendors, type VendorPlan, type VendorSources } from './plan-vendors.js';

const erp = (number: string, changes: Partial<MasterVendor> = {}): MasterVendor => ({
  number,
  name: `Vendor ${number}`,
  isEmployee: false,
  usable: true,
  ...changes,
});

const platform = (id: string, changes: Partial<PlatformVendor> = {}): PlatformVendor => ({
  id,
  state: 'ACTIVE',
  name: `Vendor ${changes.externalId ?? id}`,
  defaultCurrency: 'EUR',
  code: changes.externalId ?? null,
  externalId: null,
  country: 'UNDEFINED',
  registrationNumber: null,
  taxRegistrationNumber: null,
  ...changes,
});

const draft = (id: string, changes: Partial<PlatformVendor> = {}) => platform(id, { state: 'DRAFT', ...changes });

const linked = (id: string, number: string, changes: Partial<PlatformVendor> = {}) =>
  platform(id, { externalId: number, ...changes });

interface Options {
  readonly decisions?: Readonly<Record<string, VendorDecision>>;
  readonly unknownVendor?: VendorSources['unknownVendor'];
}

const plan = (
  ours: readonly MasterVendor[],
  theirs: readonly PlatformVendor[],
  { decisions = {}, unknownVendor = 'fail' }: Options = {},
): VendorPlan =>
  planVendors({
    erp: { functionalCurrency: currency('EUR'), vendors: ours },
    platform: theirs,
    decisions: new Map(Object.entries(decisions)),
    unknownVendor,
  });

const shown = ({ steps, waiting }: VendorPlan) => [
  ...steps.map((step) => `${step.action} ${'id' in step ? step.id : step.key}`),
  ...waiting.map(({ platformVendorId, reason, candidates }) =>
    `${platformVendorId} waits, ${reason}: ${candidates.map(({ number }) => number).join(' ')}`.trim(),
  ),
];

describe('vendors of the ERP', () => {
  it.each([
    ['new', [erp('V-1')], [], ['create V-1']],
    ['the same', [erp('V-1')], [linked('p', 'V-1')], []],
    ['another name', [erp('V-1', { name: 'Other' })], [linked('p', 'V-1')], ['update p']],
    ['found by its code', [erp('V-1')], [platform('p', { code: 'V-1', name: 'Vendor V-1' })], ['update p']],
    ['archived there', [erp('V-1')], [linked('p', 'V-1', { state: 'ARCHIVED' })], ['unarchive p']],
    ['blocked here', [erp('V-1', { usable: false })], [linked('p', 'V-1')], ['archive p']],
    ['blocked here, not there', [erp('V-1', { usable: false })], [], []],
    ['gone', [], [linked('p', 'V-1')], ['archive p']],
    ['an employee', [erp('V-1', { isEmployee: true })], [], []],
    ['an employee that is there', [erp('V-1', { isEmployee: true })], [linked('p', 'V-1')], []],
    ['a draft with its number', [erp('V-1')], [draft('p', { externalId: 'V-1', code: 'V-1' })], ['activate p']],
    [
      'there twice',
      [erp('V-1')],
      [linked('p', 'V-1'), platform('q', { code: 'V-1' }), draft('r', { code: 'V-1' })],
      ['archive q', 'r waits, already-linked: V-1'],
    ],
  ])('%s', (_, ours, theirs, expected) => {
    expect(shown(plan(ours, theirs))).toEqual(expected);
  });

  it('ignores differences in spelling', () => {
    const ours = [erp('V-1', { country: 'GB', taxNumber: 'GB 123 4567 89', registrationNumber: '12 34' })];
    const theirs = [
      linked('p', 'V-1', { country: 'UK', taxRegistrationNumber: 'GB123456789', registrationNumber: '1234' }),
    ];
    expect(shown(plan(ours, theirs))).toEqual([]);
  });

  it('keeps what the ERP does not state; omits and reports an invalid country code', () => {
    const theirs = [linked('p', 'V-1', { country: 'DK', taxRegistrationNumber: 'DK12345678', name: 'Old' })];
    const { steps, problems } = plan([erp('V-1', { country: 'QX' })], theirs);
    expect(steps).toMatchObject([
      { content: { country: 'DK', taxRegistrationNumber: 'DK12345678', defaultCurrency: 'EUR' } },
    ]);
    expect(problems).toMatchObject([{ key: 'V-1', detail: expect.stringContaining('QX') }]);
  });

  it('is created with its number as id and code, and the functional currency where it has none', () => {
    expect(plan([erp('V-1', { country: 'EL', taxNumber: 'EL123456789' })], []).steps).toMatchObject([
      {
        action: 'create',
        content: {
          externalId: 'V-1',
          code: 'V-1',
          defaultCurrency: 'EUR',
          country: 'GR',
          taxRegistrationNumber: 'EL123456789',
          registrationNumber: undefined,
        },
      },
    ]);
  });
});

describe('draft vendors of the platform', () => {
  const paper = { name: 'Paper GmbH', country: 'DE', taxNumber: 'DE123456789' };

  it.each<[string, readonly MasterVendor[], readonly PlatformVendor[], Options, readonly string[]]>([
    ['unknown, policy fail', [], [draft('p')], {}, ['p waits, unknown:']],
    ['unknown, policy create', [], [draft('p')], { unknownVendor: 'create' }, ['create-in-erp p']],
    [
      'two alike, of which the ERP may have made one already',
      [],
      [draft('p', { name: 'Paper', country: 'DE' }), draft('q', { name: 'Paper', country: 'DE' })],
      { unknownVendor: 'create', decisions: { q: { decision: 'create' } } },
      ['create-in-erp q', 'p waits, ambiguous:'],
    ],
    [
      'known by tax number',
      [erp('V-1', paper)],
      [draft('p', { taxRegistrationNumber: 'DE 123 456 789' })],
      {},
      ['activate p'],
    ],
    [
      'known by name and country',
      [erp('V-1', paper)],
      [draft('p', { name: ' paper  gmbh', country: 'DE' })],
      {},
      ['activate p'],
    ],
    [
      'a name alone is no match',
      [erp('V-1', paper)],
      [draft('p', { name: 'Paper GmbH' })],
      {},
      ['create V-1', 'p waits, unknown:'],
    ],
    [
      'could be two',
      [erp('V-1', paper), erp('V-2', paper)],
      [draft('p', { taxRegistrationNumber: 'DE123456789' })],
      { unknownVendor: 'create' },
      ['p waits, ambiguous: V-1 V-2'],
    ],
    [
      'two could be one',
      [erp('V-1', paper)],
      [draft('p', { taxRegistrationNumber: 'DE123456789' }), draft('q', { name: 'Paper GmbH', country: 'DE' })],
      {},
      ['p waits, ambiguous: V-1', 'q waits, ambiguous: V-1'],
    ],
    [
      'is one that has a counterpart',
      [erp('V-1', paper)],
      [
        linked('o', 'V-1', { name: 'Paper GmbH', country: 'DE', taxRegistrationNumber: 'DE123456789' }),
        draft('p', { name: 'Paper GmbH', country: 'DE' }),
      ],
      {},
      ['p waits, already-linked: V-1'],
    ],
    [
      'is one that is blocked: never evaded by another',
      [erp('V-1', { ...paper, usable: false })],
      [draft('p', { taxRegistrationNumber: 'DE123456789' })],
      { unknownVendor: 'create' },
      ['p waits, blocked: V-1'],
    ],
    [
      'decided: it is this one',
      [erp('V-1', paper), erp('V-2', paper)],
      [draft('p', { taxRegistrationNumber: 'DE123456789' })],
      { decisions: { p: { decision: 'link', number: 'V-2' } } },
      ['activate p', 'create V-1'],
    ],
    [
      'decided: a new one',
      [erp('V-1', paper), erp('V-2', paper)],
      [draft('p', { taxRegistrationNumber: 'DE123456789' })],
      { decisions: { p: { decision: 'create' } } },
      ['create-in-erp p', 'create V-1', 'create V-2'],
    ],
    [
      'decided: not wanted',
      [erp('V-1', paper)],
      [draft('p', { taxRegistrationNumber: 'DE123456789' })],
      { decisions: { p: { decision: 'archive' } } },
      ['archive p', 'create V-1'],
    ],
    [
      'decided: one that is gone by now',
      [],
      [draft('p')],
      { decisions: { p: { decision: 'link', number: 'V-9' } }, unknownVendor: 'create' },
      ['p waits, unknown:'],
    ],
  ])('%s', (_, ours, theirs, options, expected) => {
    expect(shown(plan(ours, theirs, options))).toEqual(expected);
  });
});

it('from any two states one run reaches the fixpoint and a second plans nothing', () => {
  const number = fc.constantFrom('V-1', 'V-2', 'V-3', 'V-4');
  const name = fc.constantFrom('Paper', ' Paper ', 'Ink', 'Ink Ltd');
  const country = fc.constantFrom('DE', 'GB', 'UK', 'QX');
  const tax = fc.constantFrom('DE123456789', 'DE 123456789', '1', '--');
  const ours: fc.Arbitrary<readonly MasterVendor[]> = fc.uniqueArray(
    fc.record(
      {
        number,
        name,
        country,
        taxNumber: tax,
        registrationNumber: tax,
        isEmployee: fc.boolean(),
        usable: fc.boolean(),
        externalId: fc.constantFrom('x', 'y'),
      },
      { requiredKeys: ['number', 'name', 'isEmployee', 'usable'] },
    ),
    { selector: (vendor) => vendor.number },
  );
  const theirs: fc.Arbitrary<readonly PlatformVendor[]> = fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      state: fc.constantFrom('DRAFT' as const, 'ACTIVE' as const, 'ARCHIVED' as const),
      name,
      defaultCurrency: fc.constantFrom('EUR', 'SEK'),
      code: fc.option(number, { nil: null }),
      externalId: fc.option(fc.constantFrom('V-1', 'V-2', 'V-3', 'x', 'gone'), { nil: null }),
      country: fc.constantFrom('DE', 'GB', 'UK', 'UNDEFINED'),
      registrationNumber: fc.option(tax, { nil: null }),
      taxRegistrationNumber: fc.option(tax, { nil: null }),
    }),
    { comparator: (a, b) => a.id === b.id || (a.externalId !== null && a.externalId === b.externalId) },
  );
  fc.assert(
    fc.property(ours, theirs, fc.constantFrom('create' as const, 'fail' as const), (left, right, unknownVendor) => {
      const after = runOnce(left, right, unknownVendor);
      const second = plan(after.erp, after.platform, { unknownVendor });
      expect(second.steps).toEqual([]);
      const numbers = after.platform.flatMap((vendor) => vendor.externalId ?? []);
      expect(new Set(numbers).size).toBe(numbers.length);
    }),
    { numRuns: 2_000 },
  );
});

/** As a run does: where vendors were created in the ERP, it looks again. */
function runOnce(
  left: readonly MasterVendor[],
  right: readonly PlatformVendor[],
  unknownVendor: VendorSources['unknownVendor'],
) {
  let side = { erp: left, platform: right };
  for (let round = 1; round <= 3; round += 1) {
    const planned = plan(side.erp, side.platform, { unknownVendor });
    side = carriedOut(planned, side.erp, side.platform);
    if (planned.steps.every(({ action }) => action !== 'create-in-erp')) {
      break;
    }
  }
  return side;
}

/** What the ERP keeps of a vendor it is given, as the ledger does. */
function created(vendor: PlatformVendor, number: string): MasterVendor {
  const { name, country, externalId, registrationNumber, taxRegistrationNumber } = itemVendorOf(vendor);
  return {
    number,
    name: name.trim(),
    isEmployee: false,
    usable: true,
    ...(country != null && { country }),
    ...(externalId != null && { externalId }),
    ...(registrationNumber != null && { registrationNumber }),
    ...(taxRegistrationNumber != null && { taxNumber: taxRegistrationNumber }),
  };
}

function carriedOut(
  { steps }: VendorPlan,
  left: readonly MasterVendor[],
  right: readonly PlatformVendor[],
): { readonly erp: readonly MasterVendor[]; readonly platform: readonly PlatformVendor[] } {
  const vendors = new Map(left.map((vendor) => [vendor.number, vendor]));
  const after = new Map(right.map((vendor) => [vendor.id, vendor]));
  const put = (id: string, content: Extract<VendorPlan['steps'][number], { content: unknown }>['content']) => {
    const { country = 'UNDEFINED', registrationNumber = null, taxRegistrationNumber = null, ...rest } = content;
    const taken = [...after.values()].some((each) => each.id !== id && each.externalId === rest.externalId);
    expect(taken).toBe(false);
    after.set(id, { id, state: 'ACTIVE', country, registrationNumber, taxRegistrationNumber, ...rest });
  };
  for (const step of steps) {
    switch (step.action) {
      case 'create':
        put(`new ${step.key}`, step.content);
        break;
      case 'archive': {
        const found = after.get(step.id);
        if (found !== undefined) after.set(step.id, { ...found, state: 'ARCHIVED' });
        break;
      }
      case 'create-in-erp': {
        const { vendor } = step;
        const wanted = itemVendorOf(vendor).code ?? '';
        const number = wanted === '' || vendors.has(wanted) ? `N-${vendors.size.toString()}` : wanted;
        const made = created(vendor, number);
        vendors.set(number, made);
        put(step.id, planActivation(vendor, made).content);
        break;
      }
      default:
        put(step.id, step.content);
    }
  }
  return { erp: [...vendors.values()], platform: [...after.values()] };
}

function currency(code: string): CurrencyCode {
  const parsed = parseCurrency(code);
  if (parsed === undefined) {
    throw new Error(`no currency ${code}`);
  }
  return parsed;
}
