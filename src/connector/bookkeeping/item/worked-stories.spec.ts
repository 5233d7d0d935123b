import { describe, expect, it } from '@jest/globals';
import { contentOf } from './content-of.js';
import { contextWith, itemOf, linesOf, onlyEntry, post } from './planning.fixtures.js';

// Those stories of B8.2 that the planner covers alone, by number.

describe('worked examples, stories', () => {
  it('example 33: invoice and payment of a card invoice are the supplier’s document [B9.5]', () => {
    const invoice = { invoiceNumber: 'K-3', invoiceDate: '2026-02-01', dueDate: null, status: null };
    const method = 'accounts_payable';
    const plan = post(itemOf({ type: 'card_invoice', amount: '9900', vendor: 'V-7', method, invoice }));
    expect(plan.entries.map(({ role, documentNumber, documentDate }) => [role, documentNumber, documentDate])).toEqual([
      ['invoice', 'K-3', '2026-02-01'],
      ['payment', 'K-3', '2026-02-01'],
    ]);
    expect(plan.entries[1]?.settlement?.numbers).toEqual(['K-3']);
  });

  it('example 34: a reimbursement that names an unknown vendor creates none [B9.6]', () => {
    const method = 'accounts_payable';
    const item = itemOf({ type: 'direct_reimbursement', amount: '8000', vendor: 'V-X', method });
    for (const unknownVendor of ['create', 'fail'] as const) {
      const entry = onlyEntry(post(item, contextWith({ policies: { unknownVendor } })));
      expect(linesOf(entry)).toEqual(['2890 +8000', '1935 -8000']);
    }
  });

  it('example 35: another employee changes the content [B9.7]', () => {
    const lines = [
      { amount: '8000', net: '6400', account: '7690', tax: { type: 'exclusive', amount: '1600' } },
    ] as const;
    const of = (employee: string) => contentOf(itemOf({ type: 'out_of_pocket', amount: '8000', lines, employee }));
    expect(of('E-5')).not.toBe(of('E-3'));
    expect(of('E-3')).toBe(of('E-3'));
  });
});
