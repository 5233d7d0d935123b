import { expect, it } from '@jest/globals';
import { findWarnings, namedDocuments, type KnownDocument, type NewlyWritten } from './find-warnings.js';
import type { BookEntry, PostingSettlement } from './posting-group.js';

const PAYABLE = { vendorNumber: null, isDebit: false, isOpen: false };
const OWED = { vendorNumber: 'V-7', isDebit: false, isOpen: true };

const document = (id: string, more: Partial<KnownDocument> = {}): KnownDocument => ({
  id,
  key: `key of ${id}`,
  role: 'invoice',
  currency: 'EUR',
  documentNumber: 'A-17',
  name: `2026-${id}`,
  sides: [OWED],
  ...more,
});

const written = (id: string, role: BookEntry['role'], more: Partial<BookEntry> = {}): NewlyWritten => ({
  id,
  groupId: `group of ${id}`,
  content: {
    role,
    state: 'posted',
    postingDate: '2026-03-02',
    documentNumber: 'A-17',
    currency: 'EUR',
    description: '',
    metadata: {},
    lines: [{ accountCode: '2440', amountMinor: 5n, baseMinor: 5n, vendorNumber: 'V-7', dimensions: {} }],
    ...more,
  },
});

const settlement: PostingSettlement = {
  kind: 'settles',
  vendorNumber: 'V-7',
  numbers: ['A-17', 'A-18'],
  currency: 'EUR',
  amountMinor: 5n,
};
const paid = written('9', 'payment', { documentNumber: 'PAY-1', settlement });
const journal = document('1', { role: 'entry', sides: [PAYABLE] });
const paidByJournal = document('9', { role: 'entry', sides: [{ ...PAYABLE, isDebit: true }] });

const DUPLICATE = 'Possible duplicate: invoice A-17 of vendor V-7 is already in the books as 2026-1.';
const WITHOUT_VENDOR =
  'Document A-17 was booked without a vendor (2026-1), so this payment of vendor V-7 does not settle it. Match the two by hand.';
const LEFT_OPEN = 'Document A-17 of vendor V-7 (2026-1) stays open: this entry names no vendor and does not settle it.';

interface Case {
  readonly name: string;
  readonly entry: NewlyWritten;
  readonly documents: readonly KnownDocument[];
  readonly settled?: readonly string[];
  readonly message?: string;
}

const invoice = written('9', 'invoice');
const own = document('9');

it.each<Case>([
  { name: 'the same vendor and number', entry: invoice, documents: [document('1'), own], message: DUPLICATE },
  {
    name: 'the first of several',
    entry: invoice,
    documents: [document('1'), document('2'), own],
    message: DUPLICATE,
  },
  { name: 'nothing but itself', entry: invoice, documents: [own] },
  { name: 'one that comes later', entry: invoice, documents: [own, document('99')] },
  { name: 'one of the same key', entry: invoice, documents: [document('1', { key: own.key }), own] },
  { name: 'one of another kind', entry: invoice, documents: [document('1', { role: 'credit-note' }), own] },
  {
    name: 'one of another vendor',
    entry: invoice,
    documents: [document('1', { sides: [{ ...OWED, vendorNumber: 'V-8' }] }), own],
  },
  {
    name: 'one without a vendor beside one without',
    entry: invoice,
    documents: [document('1', { sides: [PAYABLE] }), document('9', { sides: [PAYABLE] })],
  },
  { name: 'another number', entry: invoice, documents: [document('1', { documentNumber: 'A-18' }), own] },

  {
    name: 'a payment of what was booked without vendor',
    entry: paid,
    documents: [journal],
    message: WITHOUT_VENDOR,
  },
  { name: 'a payment that is settled all the same', entry: paid, documents: [journal], settled: ['9'] },
  { name: 'a payment of a vendor’s document', entry: paid, documents: [document('1')] },
  { name: 'a payment in another currency', entry: paid, documents: [{ ...journal, currency: 'USD' }] },
  {
    name: 'a payment beside another payment',
    entry: paid,
    documents: [{ ...journal, sides: [{ ...PAYABLE, isDebit: true }] }],
  },
  {
    name: 'a payment of a number in use elsewhere',
    entry: paid,
    documents: [{ ...journal, documentNumber: 'PAY-1' }],
  },
  {
    name: 'a payment of a vendor’s document with a tax that is owed',
    entry: paid,
    documents: [document('1', { sides: [{ ...OWED, isOpen: false }, PAYABLE] })],
  },
  {
    name: 'a payment of an entry on the vendor',
    entry: paid,
    documents: [document('1', { role: 'entry' })],
  },
  {
    name: 'an entry that undoes a payment',
    entry: written('9', 'entry', { settlement: { ...settlement, kind: 'reopens' } }),
    documents: [journal],
  },
  {
    name: 'a returned payment',
    entry: written('9', 'receipt', { settlement: { ...settlement, kind: 'reopens' } }),
    documents: [journal],
  },

  {
    name: 'a payment without vendor of a vendor’s open document',
    entry: written('9', 'entry'),
    documents: [document('1'), paidByJournal],
    message: LEFT_OPEN,
  },
  {
    name: 'a payment without vendor of a closed document',
    entry: written('9', 'entry'),
    documents: [document('1', { sides: [{ ...OWED, isOpen: false }] }), paidByJournal],
  },
  {
    name: 'a payment without vendor in another currency',
    entry: written('9', 'entry'),
    documents: [document('1', { currency: 'USD' }), paidByJournal],
  },
  {
    name: 'an invoice with a tax that is owed beside an open credit note',
    entry: invoice,
    documents: [
      document('1', { role: 'credit-note', sides: [{ ...OWED, isDebit: true }] }),
      document('9', { sides: [OWED, PAYABLE] }),
    ],
  },
  {
    name: 'an invoice without vendor beside a vendor’s',
    entry: written('9', 'entry'),
    documents: [document('1'), document('9', { role: 'entry', sides: [PAYABLE] })],
  },
  {
    name: 'a payment without vendor beside an open payment of a vendor',
    entry: written('9', 'entry'),
    documents: [document('1', { role: 'entry' }), paidByJournal],
  },
])('$name', ({ entry, documents, settled = [], message }) => {
  const warnings = findWarnings([entry], { documents, settledIds: new Set(settled) });
  const code = message === DUPLICATE ? 'possible-duplicate' : 'booked-without-vendor';
  expect(warnings).toEqual(message === undefined ? [] : [{ groupId: 'group of 9', code, message }]);
});

it.each<[name: string, entry: NewlyWritten, numbers: readonly string[]]>([
  ['an invoice', invoice, ['A-17']],
  ['a payment', paid, ['A-17', 'A-18']],
  ['a payment within its group', written('9', 'payment', { settlement: { ...settlement, kind: 'within' } }), []],
  ['an entry without number', written('9', 'entry', { documentNumber: null }), []],
])('looks for the documents that %s names', (_, entry, numbers) => {
  expect(namedDocuments(entry)).toEqual(numbers);
});
