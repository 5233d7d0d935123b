import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exportItemSchema } from './export-item.schema.js';
import { readExportItem, readUsualItem } from './read-export-item.js';

const money = { currency: 'EUR', value: '11235' };
const dual = { inSupplierCurrency: money, inWalletCurrency: money };
const account = { id: 'a1', name: 'Office supplies', code: '6420', identifier: 'gl-6420' };
const USUAL = {
  accountingEntryId: '5a170000-0009-4000-8000-000000000001',
  companyId: '5a170000-0001-4000-8000-000000000001',
  type: 'card_purchase',
  subType: null,
  date: '2026-10-02T14:37:00Z',
  amount: dual,
  note: 'Paper',
  accountingEntryLines: [
    {
      accountingEntryLineId: 'l1',
      lineAmount: dual,
      netAmount: dual,
      account,
      tags: [{ id: 't1', code: '110', groupCode: 'CC' }],
      tax: { id: 'x1', code: 'EE24', rate: '0.24', type: 'inclusive', amount: dual, ingoingTaxAccount: '1510' },
    },
  ],
  bookkeeping: { method: 'journal' },
  vendor: { id: 'v1', name: 'Paper shop', defaultCurrency: 'EUR', taxRegistrationNumber: 'EE1' },
  supplier: { name: 'Paper shop', taxIdentifier: 'EE1' },
  contraAccount: account,
  user: { id: 'u1', name: 'Liis', code: 'E-04' },
  files: [{ url: 'https://files.example/1', type: 'application/pdf', size: '1000' }],
  servicePeriod: { from: '2026-01-01', to: '2026-12-31' },
  additionalInformation: {
    reconciliationId: 'R-1',
    reconciledEntries: ['e1'],
    invoiceInformation: { invoiceNumber: '7', invoiceDate: '2026-10-01', dueDate: '2026-10-31', status: 'paid' },
  },
  _links: { web: { exportItem: 'https://platform.example/export-items/1' } },
};

/** A place in the item, and what stands there instead. */
const PLACES = placesIn(USUAL);
const anything = fc.oneof(
  fc.constantFrom(undefined, null, '', 'text', 'x'.repeat(2_000), 'x'.repeat(2_001), '1'.repeat(101), 0, 12.5, true),
  fc.constantFrom(
    [],
    [null],
    [undefined],
    ['text'],
    {},
    { id: 'only' },
    Array.from({ length: 1_001 }, () => null),
  ),
  fc.constantFrom('5A170000-0009-4000-8000-000000000001', '00000000-0000-0000-0000-000000000000', '5a170000'),
  fc.json().map((text) => JSON.parse(text) as unknown),
);

describe('an export item', () => {
  it.each([
    ['1.5E+3', '1500'],
    ['-12550e-1', '-1255'],
    ['12e-1', '1.2'],
    ['1e999', '1e999'],
    ['1500', '1500'],
    ['100.50', '100.50'],
  ])('has a number %s as %s, which all lists and sums can read', (value, plain) => {
    const amount = { ...dual, inWalletCurrency: { currency: 'EUR', value } };
    expect(readExportItem({ ...USUAL, amount })).toMatchObject({
      item: { amount: { inWalletCurrency: { value: plain }, inSupplierCurrency: { value: '11235' } } },
    });
  });

  it('has each id that is a UUID in lower case: in another export it may be spelled otherwise, and is the same', () => {
    const capitals = 'ABCDEF00-0009-4000-8000-00000000000F';
    const small = capitals.toLowerCase();
    const ids = PLACES.filter((path) => ['id', 'accountingEntryLineId'].includes(path.at(-1) ?? ''));
    expect(ids).toHaveLength(7);
    const all = (value: string) => ids.reduce<unknown>((item, path) => withValue(item, path, value), USUAL);
    expect(readExportItem(all(capitals))).toEqual({ item: readUsualItem(all(small)) });
    expect(readExportItem(all('ID-7'))).toEqual({ item: all('ID-7') });
  });

  it('in its usual form is read without the schema', () => {
    expect(readUsualItem(USUAL)).toEqual(exportItemSchema.parse(USUAL));
  });

  it('has no unknown field, at any depth', () => {
    const [line] = USUAL.accountingEntryLines;
    const more = { ...USUAL, team: 'x', user: { ...USUAL.user, mail: 'x' }, accountingEntryLines: [{ ...line, x: 1 }] };
    expect(readUsualItem(more)).toStrictEqual(readUsualItem(USUAL));
  });

  it('equals the result of the schema for any value at any position', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...PLACES), anything), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(changes, (changed) => {
        const element = changed.reduce<unknown>((item, [path, value]) => withValue(item, path, value), USUAL);
        const bySchema = exportItemSchema.safeParse(element);
        const read = readExportItem(element);
        if (bySchema.success) {
          expect(read).toEqual({ item: bySchema.data });
        } else {
          expect(read).toHaveProperty('unreadable');
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('that cannot be read reports where and why', () => {
    expect(readExportItem({ ...USUAL, date: 5, user: { id: null } })).toEqual({
      unreadable:
        'date: Invalid input: expected string, received number; user.id: Invalid input: expected string, received null',
    });
  });
});

function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) {
    return [path];
  }
  const inside = Object.entries(value).flatMap(([key, element]) => placesIn(element, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}

function withValue(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined || typeof target !== 'object' || target === null) {
    return value;
  }
  const copy = (Array.isArray(target) ? [...(target as unknown[])] : { ...target }) as Record<string, unknown>;
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}
