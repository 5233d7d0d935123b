import { describe, expect, it } from '@jest/globals';
import { currency, day, itemOf, post } from '../../../bookkeeping/item/planning.fixtures.js';
import type { EntryRole } from '../../../bookkeeping/item/posting-plan.js';
import { linesOf, mainEntryOf, reversalIn } from './known-entry.js';

/** Numbered J-1 as the ERP's entry e-1. */
function shown(role: EntryRole, place: string) {
  return { role, id: `e-${place}`, number: `J-${place}` };
}

const reversedBy = { id: 'e-9', number: 'J-9', on: day('2026-02-12') };

describe('the main entry of a group', () => {
  it.each<readonly [string, readonly EntryRole[], string | undefined]>([
    ['the only one', ['entry'], 'e-1'],
    ['the invoice before its payment', ['invoice', 'payment'], 'e-1'],
    ['the invoice after its payment', ['payment', 'invoice'], 'e-2'],
    ['the credit note after its receipt', ['receipt', 'credit-note'], 'e-2'],
    ['the first part of one that is divided', ['payment', 'invoice', 'invoice'], 'e-2'],
    ['a payment that is alone', ['payment'], 'e-1'],
    ['the first of a receipt that is divided', ['receipt', 'receipt'], 'e-1'],
    ['missing where there are none', [], undefined],
  ])('is %s', (_, roles, id) => {
    const entries = roles.map((role, index) => shown(role, (index + 1).toString()));
    expect(mainEntryOf({ entries })?.id).toBe(id);
  });
});

describe('how a group was removed from the books', () => {
  it.each([
    ['names numbers and day', [{ ...shown('entry', '1'), reversedBy }], { entry: 'J-1', by: 'J-9', on: '2026-02-12' }],
    [
      'names ids where the ERP has no numbers',
      [{ ...shown('entry', '1'), number: undefined, reversedBy: { ...reversedBy, number: undefined } }],
      { entry: 'e-1', by: 'e-9', on: '2026-02-12' },
    ],
    [
      'names the invoice and not its payment',
      [
        { ...shown('payment', '1'), reversedBy: { ...reversedBy, number: 'J-8' } },
        { ...shown('invoice', '2'), reversedBy },
      ],
      { entry: 'J-2', by: 'J-9', on: '2026-02-12' },
    ],
    ['is unknown of what was discarded', [shown('entry', '1')], { entry: 'J-1', by: undefined, on: undefined }],
    ['is named by the key of a group without entries', [], { entry: 'the key', by: undefined, on: undefined }],
  ])('%s', (_, entries, reversal) => {
    expect(reversalIn({ key: 'the key', entries })).toEqual(reversal);
  });
});

it('lines to compare have account and amount, debit positive', () => {
  const invoice = itemOf({ type: 'card_purchase', amount: '10000', method: 'accounts_payable', vendor: 'V-7' });
  const shared = { postingDate: day('2026-02-10'), currency: currency('EUR') };
  expect(linesOf(post(invoice).entries)).toEqual([
    {
      ...shared,
      role: 'invoice',
      lines: [
        { accountCode: '5410', amountMinor: 10_000n },
        { accountCode: '2440', amountMinor: -10_000n },
      ],
    },
    {
      ...shared,
      role: 'payment',
      lines: [
        { accountCode: '2440', amountMinor: 10_000n },
        { accountCode: '1935', amountMinor: -10_000n },
      ],
    },
  ]);
});
