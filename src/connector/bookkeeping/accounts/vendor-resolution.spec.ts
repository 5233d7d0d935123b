import { describe, expect, it } from '@jest/globals';
import { toErpVendorId } from '../../../kernel/ids.js';
import { bookOf, contextWith, fail, itemOf, itemVendor, post, vendor } from '../item/planning.fixtures.js';
import type { ErpVendor } from '../item/bookkeeping-context.js';
import type { ItemVendor } from '../item/export-item.js';
import { planItem } from '../item/plan-item.js';

const nameless: ItemVendor = { id: 'platform-vendor', name: 'Nobody' };

function vendorOf(itemVendorData: ItemVendor, vendors: readonly ErpVendor[]): string | undefined {
  const item = itemOf({ type: 'invoice', amount: '1000', vendor: itemVendorData, method: null });
  const invoice = { invoiceNumber: 'A-1', status: 'ready' };
  const numbered = {
    ...item,
    additionalInformation: { ...item.additionalInformation, invoiceInformation: invoice },
  };
  const entry = post(numbered, contextWith({ vendors })).entries[0];
  return entry?.lines.find((line) => line.vendor !== undefined)?.vendor?.code;
}

describe('the first match decides: code, external id, tax number, name with country', () => {
  const byCode = vendor('1');
  const byExternalId = vendor('2', { externalId: 'X-2' });
  const byTaxNumber = vendor('3', { taxNumber: 'DK 12.34-56 78' });
  const byName = vendor('4', { name: 'ÅSE & Straße  Ltd', country: 'DK' });
  const all = [byName, byTaxNumber, byExternalId, byCode];
  const complete = { ...nameless, code: '1', externalId: 'X-2', taxRegistrationNumber: 'dk12345678' };

  it.each([
    ['code', { ...complete, name: 'ÅSE & Straße Ltd', country: 'DK' }, '1'],
    ['external id', { ...complete, code: '404' }, '2'],
    ['tax number', { ...complete, code: null, externalId: 'X-404' }, '3'],
    ['name', { ...nameless, name: ' åse & STRASSE\u00a0ltd ', country: 'dk' }, '4'],
    ['the ERP id as external id', { ...nameless, externalId: 'erp-1' }, '1'],
    ['a code with blanks around', { ...nameless, code: ' 1 ' }, '1'],
  ])('%s', (_, itemVendorData, expected) => {
    expect(vendorOf(itemVendorData, all)).toBe(expected);
  });

  it('names are compared in Unicode compatibility form', () => {
    const decomposed = vendor('5', { name: 'Café Ｆin', country: 'FR' });
    expect(vendorOf({ ...nameless, name: 'CAFE\u0301 FIN', country: 'FR' }, [decomposed])).toBe('5');
  });

  it.each([
    ['no country on the item', undefined],
    ['an unknown country', 'UNDEFINED'],
    ['another country', 'SE'],
  ])('a name with %s does not match', (_, country) => {
    expect(vendorOf({ ...nameless, name: byName.name, country }, all)).toBeUndefined();
  });

  it('a name whose vendor has no country in the ERP does not match', () => {
    expect(vendorOf({ ...nameless, name: 'Acme', country: 'DK' }, [vendor('6', { name: 'Acme' })])).toBeUndefined();
  });

  it('a tax number without letters or digits is ignored', () => {
    const punctuation = vendor('7', { taxNumber: '--' });
    expect(vendorOf({ ...nameless, taxRegistrationNumber: ' - ' }, [punctuation])).toBeUndefined();
  });

  it('two matches on a tax number or a name count as no match', () => {
    const twins = ['8', '9'].map((code) => vendor(code, { taxNumber: '123', name: 'Twin', country: 'DK' }));
    const twin = { ...nameless, name: 'Twin', country: 'DK', taxRegistrationNumber: '123' };
    expect(vendorOf(twin, twins)).toBeUndefined();
  });
});

describe('blocked vendors', () => {
  const vendors = [vendor('V-7', { blocked: true }), vendor('V-8', { taxNumber: '123' })];

  it.each(['accounts_payable', null])('fail the item with method %s, also under the policy create', (method) => {
    const context = contextWith({ vendors, policies: { unknownVendor: 'create' } });
    const blocked = itemVendor('V-7', { taxRegistrationNumber: '123' });
    const plan = fail(itemOf({ type: 'card_purchase', amount: '1000', vendor: blocked, method }), context);
    expect(plan.failureType).toBe('vendor_unknown');
    expect(plan.message).toBe(
      'Vendor V-7 (Vendor V-7) is blocked or archived in the accounting system: release it there, or choose another vendor on the platform.',
    );
  });
});

describe('a vendor the ERP does not have', () => {
  const unknown = itemVendor('V-404', { name: 'Newcomer', country: 'DK', externalId: 'X' });
  const item = itemOf({ type: 'card_purchase', amount: '1000', vendor: unknown, method: 'accounts_payable' });
  const creating = contextWith({ policies: { unknownVendor: 'create' } });

  it('fails under the policy fail', () => {
    const plan = fail(item);
    expect(plan.failureType).toBe('vendor_unknown');
    expect(plan.message).toContain('Vendor V-404 (Newcomer) is not in the accounting system');
  });

  it('is named in the reason even without a code', () => {
    const plan = fail({ ...item, vendor: { id: 'v', name: 'Newcomer' } });
    expect(plan.message).toContain('Vendor "Newcomer" (which has no code)');
  });

  it('is requested under the policy create, and the item posts once the vendor exists', () => {
    expect(planItem(item, creating)).toEqual({ outcome: 'needs-vendor', vendor: unknown });
    const created = vendor('V-404', { id: toErpVendorId('new') });
    expect(bookOf(post(item, contextWith({ vendors: [created] })))).toEqual([
      'invoice: 5410 +1000 · 2440·V-404 -1000',
      'payment: 2440·V-404 +1000 · 1935 -1000',
    ]);
  });

  it('is not created for an item that fails anyway', () => {
    const plan = fail({ ...item, contraAccount: { id: 'c', code: '404' } }, creating);
    expect(plan.failureType).toBe('account_unknown');
  });

  it('is not created for an item without a method', () => {
    const plan = post({ ...item, bookkeeping: null }, creating);
    expect(bookOf(plan)).toEqual(['entry: 5410 +1000 · 1935 -1000']);
  });
});

describe('accounts payable without a vendor', () => {
  it.each(['card_purchase', 'card_invoice', 'fee', 'refund', 'chargeback', 'invoice_payment'])('%s fails', (type) => {
    const plan = fail(itemOf({ type, amount: '1000', method: 'accounts_payable' }));
    expect(plan.failureType).toBe('vendor_unknown');
    expect(plan.message).toBe(
      'The entry is to be booked through accounts payable but has no vendor: choose a vendor for it on the platform.',
    );
  });

  it('a supplier does not replace the vendor', () => {
    const item = itemOf({
      type: 'card_purchase',
      amount: '1000',
      method: 'accounts_payable',
      supplier: { code: 'V-7' },
    });
    expect(fail(item).failureType).toBe('vendor_unknown');
  });
});

describe('without a method, the supplier’s keys identify the vendor', () => {
  const vendors = [vendor('V-7', { externalId: 'X-7', taxNumber: '123', name: 'Shop', country: 'DK' })];
  const payable = ['invoice: 5410 +1000 · 2440·V-7 -1000', 'payment: 2440·V-7 +1000 · 1935 -1000'];
  const journal = ['entry: 5410 +1000 · 1935 -1000'];

  it.each([
    [{ code: 'V-7' }, payable],
    [{ code: 'X-7' }, payable],
    [{ account: 'V-7' }, payable],
    [{ taxIdentifier: '1-2-3' }, payable],
    [{ name: 'Shop', country: 'DK' }, journal],
    [{ code: '404' }, journal],
  ])('%j', (supplier, expected) => {
    const item = itemOf({ type: 'card_purchase', amount: '1000', method: null, supplier });
    expect(bookOf(post(item, contextWith({ vendors })))).toEqual(expected);
  });

  it('but not when a vendor is given', () => {
    const item = itemOf({
      type: 'card_purchase',
      amount: '1000',
      method: null,
      supplier: { code: 'V-7' },
      vendor: 'X',
    });
    expect(bookOf(post(item, contextWith({ vendors })))).toEqual(journal);
  });
});
