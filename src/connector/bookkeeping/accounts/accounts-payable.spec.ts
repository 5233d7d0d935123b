import { describe, expect, it } from '@jest/globals';
import {
  bookOf,
  contextWith,
  currency,
  day,
  fail,
  itemOf,
  onlyEntry,
  post,
  vendor,
} from '../item/planning.fixtures.js';

const payable = { amount: '1000', method: 'accounts_payable', vendor: 'V-7' };
const invoice = { invoiceNumber: 'A-1', invoiceDate: '2026-02-01', dueDate: null, status: 'ready' };

describe('invoices', () => {
  it.each(['voided_by_user', 'rejected_by_user', 'rejected_by_approver'])('of status %s fail', (status) => {
    for (const method of ['accounts_payable', 'journal']) {
      const plan = fail(itemOf({ ...payable, type: 'invoice', method, invoice: { ...invoice, status } }));
      expect(plan.failureType).toBe('validation_failure');
      expect(plan.message).toContain(`The invoice has the status "${status}"`);
    }
  });

  it.each(['ready', 'paid', 'failed_payment', 'something_new'])('of status %s are booked', (status) => {
    const entry = onlyEntry(post(itemOf({ ...payable, type: 'invoice', invoice: { ...invoice, status } })));
    expect(entry.role).toBe('invoice');
    expect(entry.documentDate).toBe('2026-02-01');
    expect(entry).not.toHaveProperty('dueDate');
  });

  it.each([undefined, { ...invoice, invoiceNumber: '  ' }, { ...invoice, invoiceNumber: null }])(
    'without a number fail: %j',
    (info) => {
      for (const method of ['accounts_payable', null]) {
        const item = itemOf({ ...payable, type: 'invoice', method, ...(info && { invoice: info }) });
        expect(fail(item).failureType).toBe('validation_failure');
        expect(fail(item).message).toContain('The invoice has no number');
      }
    },
  );

  it('need no number as a journal', () => {
    const entry = onlyEntry(post(itemOf({ type: 'invoice', amount: '1000' })));
    expect(entry).not.toHaveProperty('documentNumber');
  });

  it('keep their number and date as a journal', () => {
    const entry = onlyEntry(post(itemOf({ type: 'invoice', amount: '1000', invoice })));
    expect([entry.documentNumber, entry.documentDate]).toEqual(['A-1', '2026-02-01']);
  });

  it('block no payment by their status', () => {
    const item = itemOf({
      ...payable,
      type: 'invoice_payment',
      invoice: { ...invoice, status: 'voided_by_user' },
    });
    expect(post(item).outcome).toBe('post');
  });
});

describe('document numbers', () => {
  it('of documents that name no invoice are the reconciliation id', () => {
    const plan = post(itemOf({ ...payable, type: 'card_invoice', reconciliationId: 'R-77' }));
    expect(plan.entries.map((entry) => entry.documentNumber)).toEqual(['R-77', 'R-77']);
    expect(plan.entries.map((entry) => entry.documentDate)).toEqual([undefined, undefined]);
  });

  it.each(['invoice_payment', 'refund', 'out_of_pocket'])(
    'a %s has the number and date of its invoice [B9.5]',
    (type) => {
      const plan = post(itemOf({ ...payable, type, invoice, reconciliationId: 'R-77' }));
      for (const { documentNumber, documentDate, dueDate } of plan.entries) {
        expect([documentNumber, documentDate, dueDate]).toEqual(['A-1', '2026-02-01', undefined]);
      }
    },
  );

  it('the invoice of a purchase that is not an accounts-payable document is ignored', () => {
    const unread = { invoiceNumber: 'A-1', invoiceDate: 'soon', dueDate: null, status: null };
    const entry = onlyEntry(post(itemOf({ type: 'card_purchase', amount: '100', invoice: unread })));
    expect([entry.documentNumber, entry.documentDate]).toEqual([undefined, undefined]);
  });

  it('a payment as a journal names its invoice but does not settle it', () => {
    const entry = onlyEntry(post(itemOf({ type: 'invoice_payment', amount: '1000', method: 'journal', invoice })));
    expect([entry.role, entry.documentNumber, entry.settlement]).toEqual(['entry', 'A-1', undefined]);
  });

  it('a credit note of an invoice keeps the invoice’s number and settles it [B9.4]', () => {
    const entry = onlyEntry(post(itemOf({ ...payable, type: 'invoice', amount: '-1000', invoice })));
    expect([entry.role, entry.documentNumber]).toEqual(['credit-note', 'A-1']);
    expect(entry.settlement).toMatchObject({ kind: 'settles', numbers: ['A-1'], amountMinor: 1000n });
  });
});

describe('payments', () => {
  it('without an invoice number stay open, with a warning', () => {
    const plan = post(itemOf({ ...payable, type: 'invoice_payment' }));
    expect(bookOf(plan)).toEqual(['payment: 2440·V-7 +1000 · 1935 -1000']);
    expect(onlyEntry(plan).settlement).toBeUndefined();
    expect(plan.warnings.map(({ kind }) => kind)).toEqual(['payment-without-invoice-number']);
  });

  it('a refund settles its own credit note', () => {
    const plan = post(itemOf({ ...payable, type: 'refund', reconciliationId: 'R-9' }));
    expect(plan.entries[1]?.settlement).toEqual({
      kind: 'within',
      vendor: { id: 'erp-V-7', code: 'V-7' },
      numbers: ['R-9'],
      currency: 'EUR',
      amountMinor: 1000n,
    });
  });

  it('both entries of a purchase in foreign currency have the same base on the vendor', () => {
    const lines = ['1000', '1001', '1002'].map((amount) => ({ amount, account: '5410' }));
    const item = {
      ...payable,
      type: 'card_purchase',
      amount: '3003',
      currency: 'USD',
      contra: '1936',
      lines,
    };
    const plan = post(itemOf(item));
    const onVendor = plan.entries.flatMap((entry) => entry.lines.filter((line) => line.vendor !== undefined));
    expect(onVendor.map((line) => line.baseMinor)).toEqual([-2740n, 2740n]);
    expect(plan.entries[1]?.settlement).not.toHaveProperty('realizedFx');
  });
});

describe('reimbursements of an employee who is a vendor', () => {
  const reimbursement = { amount: '8000', method: 'accounts_payable', vendor: 'E-3' };

  it('costs that are taken back settle nothing, as they name no invoice', () => {
    const entry = onlyEntry(post(itemOf({ ...reimbursement, type: 'out_of_pocket', amount: '-8000' })));
    expect([entry.role, entry.settlement]).toEqual(['credit-note', undefined]);
  });

  it.each(['direct_reimbursement', 'external_reimbursement'])('%s settles the costs it names', (type) => {
    const entry = onlyEntry(post(itemOf({ ...reimbursement, type, reconciledEntries: ['R-1', ' ', 'R-2'] })));
    expect(entry.role).toBe('payment');
    expect(entry.settlement).toEqual({
      kind: 'settles',
      vendor: { id: 'erp-E-3', code: 'E-3' },
      numbers: ['R-1', 'R-2'],
      currency: 'EUR',
      amountMinor: 8000n,
    });
  });

  it('a returned one reopens the costs', () => {
    const subType = 'reimbursement_to_employee_refund';
    const item = itemOf({
      ...reimbursement,
      type: 'direct_reimbursement',
      subType,
      reconciledEntries: ['R-1'],
    });
    const entry = onlyEntry(post(item));
    expect(entry.role).toBe('receipt');
    expect(entry.settlement?.kind).toBe('reopens');
  });

  it('one that names no costs stays open', () => {
    expect(onlyEntry(post(itemOf({ ...reimbursement, type: 'direct_reimbursement' }))).settlement).toBeUndefined();
  });
});

describe('realized FX', () => {
  const usd = { ...payable, type: 'invoice_payment', currency: 'USD', contra: '1936', invoice };
  const rates = [{ from: currency('USD'), to: currency('EUR'), date: day('2026-02-10'), rate: '0.5' }];

  const returned = { ...usd, subType: 'invoice_payment_returned' };
  const repaid = { ...usd, type: 'direct_reimbursement', vendor: 'E-3', reconciledEntries: ['R-1'] };
  const repaidBack = { ...repaid, subType: 'reimbursement_to_employee_refund' };

  it.each([
    ['a payment', usd, 'settles'],
    ['a payment that comes back', returned, 'reopens'],
    ['a reimbursement', repaid, 'settles'],
    ['a reimbursement that comes back', repaidBack, 'reopens'],
  ])('of %s in foreign currency goes to the account of the setting', (_, item, kind) => {
    const { settlement } = onlyEntry(post(itemOf(item), contextWith({ rates })));
    expect(settlement?.kind).toBe(kind);
    expect(settlement?.realizedFx?.code).toBe('7960');
  });

  it.each([usd, returned, repaid, repaidBack])('cannot arise in the functional currency: %j', (item) => {
    const { settlement } = onlyEntry(post(itemOf({ ...item, currency: 'EUR', contra: '1935' })));
    expect(settlement?.amountMinor).toBe(1000n);
    expect(settlement).not.toHaveProperty('realizedFx');
  });

  it.each([usd, returned])('is left to the ERP where no account is set: %j', (item) => {
    const entry = onlyEntry(post(itemOf(item), contextWith({ rates, without: ['realizedFx'] })));
    expect(entry.settlement).toBeDefined();
    expect(entry.settlement).not.toHaveProperty('realizedFx');
  });

  it('requires the set account to be active', () => {
    for (const item of [usd, returned]) {
      const plan = fail(itemOf(item), contextWith({ rates, settings: { realizedFx: '9999' } }));
      expect(plan.failureType).toBe('invalid_configuration');
      expect(plan.message).toContain('The setting "Realized FX gain/loss" names account 9999');
    }
  });
});

describe('a vendor’s own payables account', () => {
  it('must be active', () => {
    const context = contextWith({ vendors: [vendor('V-7', { payablesAccount: '9999' })] });
    const plan = fail(itemOf({ ...payable, type: 'card_purchase' }), context);
    expect(plan.failureType).toBe('invalid_configuration');
    expect(plan.message).toBe(
      'Vendor V-7 (Vendor V-7) has the payables account 9999, which is not active in the accounting system: correct it on the vendor there.',
    );
  });
});

describe('posting state', () => {
  it.each(['draft', 'posted'] as const)('%s', (postingState) => {
    const plan = post(itemOf({ ...payable, type: 'card_purchase' }), contextWith({ policies: { postingState } }));
    expect(plan.entries.map((entry) => entry.state)).toEqual([postingState, postingState]);
  });
});
