import { describe, expect, it } from '@jest/globals';
import { contentOf, contentsOf } from './content-of.js';
import type { DualAmount, ExportItem, ItemLine, ItemTax } from './export-item.js';
import { account, dual, itemOf, itemVendor, line, tag } from './planning.fixtures.js';

const base = itemOf({
  type: 'invoice',
  amount: '12500',
  method: 'accounts_payable',
  vendor: itemVendor('V-7', { externalId: 'X-7', country: 'DK' }),
  invoice: { invoiceNumber: 'A-17', invoiceDate: '2026-02-03', dueDate: '2026-03-05', status: 'ready' },
  employee: 'E-3',
  contra: '1936',
  note: 'Paper',
  supplier: { name: 'Shop' },
  lines: [
    {
      amount: '10000',
      net: '8000',
      account: '5410',
      tags: ['CC=100', 'PROJ=P1'],
      tax: { type: 'exclusive', amount: '2000', rate: '0.25', ingoing: '2641', outgoing: '2614' },
    },
    { amount: '2500', account: '6110' },
  ],
});
const firstLine = base.accountingEntryLines[0] ?? line({ amount: '0' });
const lastLine = base.accountingEntryLines[1] ?? line({ amount: '0' });
const firstTax = firstLine.tax;
const firstTaxWith = (more: object): ExportItem => withFirstLine({ tax: firstTax && { ...firstTax, ...more } });

function withFirstLine(more: Partial<ItemLine>): ExportItem {
  return { ...base, accountingEntryLines: [{ ...firstLine, ...more }, lastLine] };
}

function withInvoice(more: object): ExportItem {
  const { additionalInformation } = base;
  const invoiceInformation = { ...additionalInformation.invoiceInformation, ...more };
  return { ...base, additionalInformation: { ...additionalInformation, invoiceInformation } };
}

describe('equal content', () => {
  it.each<readonly [string, ExportItem]>([
    [
      'the supplier amount',
      { ...base, amount: { ...base.amount, inSupplierCurrency: { currency: 'USD', value: '9' } } },
    ],
    ['the spelling of an amount', { ...base, amount: dual('1.25e4') }],
    ['trailing zeros of an amount', { ...base, amount: dual('12500.00') }],
    ['the spelling of a rate', firstTaxWith({ rate: '0.250' })],
    ['the spelling of the time', { ...base, date: '2026-02-10T13:00:00.000+01:00' }],
    ['null instead of absent', { ...base, subType: null, servicePeriod: null }],
    ['blank instead of absent', { ...base, subType: ' ' }],
    ['no tags instead of an empty list', { ...base, accountingEntryLines: [firstLine, { ...lastLine, tags: [] }] }],
    ['an empty place among the tags', withFirstLine({ tags: [tag('CC=100'), null, tag('PROJ=P1')] })],
    ['the order of the tags', withFirstLine({ tags: [tag('PROJ=P1'), tag('CC=100')] })],
    ['the case of the tags', withFirstLine({ tags: [tag('cc=100'), tag('proj=p1')] })],
    ['the order of the lines', { ...base, accountingEntryLines: [lastLine, firstLine] }],
    ['the id of a line', withFirstLine({ accountingEntryLineId: 'other' })],
    ['the name of an account', withFirstLine({ account: account('5410', { name: 'Renamed' }) })],
    [
      'the net amount of a line without exclusive tax',
      { ...base, accountingEntryLines: [firstLine, { ...lastLine, netAmount: dual('1') }] },
    ],
    ['the vendor’s number, written back', { ...base, vendor: itemVendor('V-7', { code: 'NEW', externalId: 'NEW' }) }],
    ['the vendor’s name', { ...base, vendor: itemVendor('V-7', { name: 'Renamed' }) }],
    ['the status of the invoice', withInvoice({ status: 'paid' })],
    ['blanks around the invoice number', withInvoice({ invoiceNumber: ' A-17 ' })],
    ['the time of the invoice date', withInvoice({ invoiceDate: '2026-02-03T00:00:00Z' })],
    ['the contra account', { ...base, contraAccount: account('1937') }],
    ['the person', { ...base, user: { id: 'other', code: 'E-9' } }],
    ['the note', { ...base, note: 'Changed' }],
    ['the supplier', { ...base, supplier: { name: 'Changed' } }],
    ['the service period', { ...base, servicePeriod: { from: '2026-01-01', to: '2026-12-31' } }],
    [
      'the reconciliation id',
      { ...base, additionalInformation: { ...base.additionalInformation, reconciliationId: 'R-9' } },
    ],
  ])('regardless of %s', (_, item) => {
    expect(contentOf(item)).toBe(contentOf(base));
  });

  it('regardless of the order of the keys', () => {
    const reversedLines = base.accountingEntryLines.map(
      ({ accountingEntryLineId, lineAmount, netAmount, account: source, tags, tax }) => ({
        tax: tax && reversedTax(tax),
        tags: tags?.map((one) => one && { groupCode: one.groupCode, code: one.code, id: one.id }),
        account: source && { identifier: source.identifier, code: source.code, id: source.id },
        netAmount: reversedDual(netAmount),
        lineAmount: reversedDual(lineAmount),
        accountingEntryLineId,
      }),
    );
    const { amount, type, date, ...rest } = base;
    const item = { date, amount: reversedDual(amount), ...rest, type, accountingEntryLines: reversedLines };
    expect(Object.keys(item.amount)).not.toEqual(Object.keys(base.amount));
    expect(contentOf(item)).toBe(contentOf(base));
  });
});

function reversedTax({ id, code, rate, type, amount, ingoingTaxAccount, outgoingTaxAccount }: ItemTax): ItemTax {
  return { outgoingTaxAccount, ingoingTaxAccount, amount: reversedDual(amount), type, rate, code, id };
}

function reversedDual({ inSupplierCurrency, inWalletCurrency }: DualAmount): DualAmount {
  const { currency, value } = inWalletCurrency;
  return { inWalletCurrency: { value, currency }, inSupplierCurrency };
}

describe('content that is not booked', () => {
  it('is a tag that is missing, and the net amount of a line whose tax is no part of it', () => {
    const withTags = (...tags: ItemLine['tags'] & object) => contentOf(withFirstLine({ tags }));
    expect(withTags(tag('CC=100'), null)).toBe(withTags(tag('CC=100')));
    const included = firstTax && { ...firstTax, type: 'inclusive' };
    const [one, other] = ['8000', '8001'].map((net) => withFirstLine({ tax: included, netAmount: dual(net) }));
    expect(other && contentOf(other)).toBe(one && contentOf(one));
  });
});

describe('different content', () => {
  it.each<readonly [string, ExportItem]>([
    ['the type', { ...base, type: 'card_invoice' }],
    ['the subtype', { ...base, subType: 'interest' }],
    ['the method', { ...base, bookkeeping: { method: 'journal' } }],
    ['no method', { ...base, bookkeeping: null }],
    ['the method none, which is not no method', { ...base, bookkeeping: { method: 'none' } }],
    ['the date', { ...base, date: '2026-02-10T12:00:01Z' }],
    ['a day instead of an instant', { ...base, date: '2026-02-10' }],
    ['the amount', { ...base, amount: dual('12501') }],
    ['the currency', { ...base, amount: dual('12500', 'SEK') }],
    ['a line’s amount', withFirstLine({ lineAmount: dual('10001') })],
    ['an exclusive line’s net', withFirstLine({ netAmount: dual('8001') })],
    ['a line more', { ...base, accountingEntryLines: [firstLine, lastLine, lastLine] }],
    ['a line’s account code', withFirstLine({ account: account('5410', { code: '5411' }) })],
    ['a line’s account identifier', withFirstLine({ account: account('5410', { identifier: 'acc' }) })],
    ['a line’s account id', withFirstLine({ account: account('5410', { id: 'other' }) })],
    ['no account', withFirstLine({ account: null })],
    ['a tag less', withFirstLine({ tags: [tag('CC=100')] })],
    ['another tag', withFirstLine({ tags: [tag('CC=100'), tag('PROJ=P2')] })],
    ['no tax', withFirstLine({ tax: null })],
    ['the tax amount', firstTaxWith({ amount: dual('2001') })],
    ['the tax type', firstTaxWith({ type: 'reverse' })],
    ['the tax rate', firstTaxWith({ rate: '0.2' })],
    ['the tax code', firstTaxWith({ code: '12' })],
    ['the tax id', firstTaxWith({ id: 'other' })],
    ['the input tax account', firstTaxWith({ ingoingTaxAccount: '2642' })],
    ['the output tax account', firstTaxWith({ outgoingTaxAccount: null })],
    ['the vendor', { ...base, vendor: itemVendor('V-8') }],
    ['no vendor', { ...base, vendor: null }],
    ['the invoice number', withInvoice({ invoiceNumber: 'A-18' })],
    ['the invoice date', withInvoice({ invoiceDate: '2026-02-04' })],
    ['the due date', withInvoice({ dueDate: null })],
  ])('%s', (_, item) => {
    expect(contentOf(item)).not.toBe(contentOf(base));
  });

  it('distinguishes texts that would be equal when concatenated', () => {
    const [a, b] = [withFirstLine({ tags: [tag('A=BC')] }), withFirstLine({ tags: [tag('AB=C')] })];
    expect(contentOf(a)).not.toBe(contentOf(b));
  });
});

describe('the content of the employee [B9.7]', () => {
  const of = (type: string, user: ExportItem['user']) => itemOf({ type, amount: '100', user });

  it.each(['out_of_pocket', 'mileage', 'per_diem', 'direct_reimbursement', 'external_reimbursement', 'personal_spend'])(
    'is part of the content of %s',
    (type) => {
      expect(contentOf(of(type, { id: 'one', code: 'E-5' }))).not.toBe(contentOf(of(type, { id: 'one', code: 'E-3' })));
      expect(contentOf(of(type, { id: 'two' }))).not.toBe(contentOf(of(type, { id: 'one' })));
      expect(contentOf(of(type, { id: 'one', code: 'E-3', name: 'Ann' }))).toBe(
        contentOf(of(type, { id: 'one', code: 'E-3', name: 'Anna' })),
      );
    },
  );

  it.each(['card_purchase', 'invoice', 'atm_withdrawal', 'wallet_topup', 'unheard_of'])(
    'is not part of the content of %s',
    (type) => {
      expect(contentOf(of(type, { id: 'two' }))).toBe(contentOf(of(type, { id: 'one' })));
    },
  );
});

describe('the text of a content', () => {
  it.each([
    [{ type: 'per_diem', amount: '100', employee: 'E-3' }, '["v2",'],
    [{ type: 'card_purchase', amount: '100', employee: 'E-3' }, '["v1",'],
  ])('of %j begins with the version of the planner: %s', (text, version) => {
    expect(contentOf(itemOf(text)).startsWith(version)).toBe(true);
  });
});

describe('content posted by an earlier planner', () => {
  // As it was written before the employee belonged to the content.
  const EARLIER =
    '["v1","per_diem",null,"journal","2026-02-10T12:00:00.000Z",["EUR","100"],' +
    '["[[\\"EUR\\",\\"100\\"],[\\"platform-5410\\",null,\\"5410\\"],[],null]"],null,[null,null,null]]';

  it('is recognized for every employee', () => {
    expect(contentsOf(itemOf({ type: 'per_diem', amount: '100', employee: 'E-3' }))).toContain(EARLIER);
  });

  it('does not match another item', () => {
    expect(contentsOf(itemOf({ type: 'per_diem', amount: '200', employee: 'E-3' }))).not.toContain(EARLIER);
    expect(contentOf(itemOf({ type: 'per_diem', amount: '100', employee: 'E-3' }))).not.toBe(EARLIER);
  });
});
