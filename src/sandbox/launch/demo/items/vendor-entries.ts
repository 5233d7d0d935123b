// Invoices, their payments, and card payments to vendors that the ledger keeps accounts of.
import { rowsOf, type DemoEntry } from './demo-entry.js';

const invoice = rowsOf('invoice');
const payment = rowsOf('invoice_payment');
const cardInvoice = rowsOf('card_invoice');
const card = rowsOf('card_purchase');

// prettier-ignore
const invoices: readonly DemoEntry[] = [
  invoice('2026-09-02T08:00', 'maarja', null, 'Studio rent for September', [['6410', '2108.00', 'onTop', 'CC:900']], { method: 'accounts_payable', vendor: 'landlord', invoice: ['R-2609', '2026-09-01', '2026-09-15'], service: ['2026-09-01', '2026-09-30'] }),
  invoice('2026-09-16T08:00', 'liis', null, 'Ferry line stationery, 4,000 sheets', [['5030', '620.00', 'onTop', 'CC:110', 'PRJ:2601'], ['6450', '24.80', 'onTop', 'CC:110', 'PRJ:2601']], { method: 'accounts_payable', vendor: 'printer', invoice: ['26-1187', '2026-09-15', '2026-09-29'] }),
  invoice('2026-10-01T08:00', 'maarja', null, 'Studio rent for October', [['6410', '2108.00', 'onTop', 'CC:900']], { method: 'accounts_payable', vendor: 'landlord', invoice: ['R-2610', '2026-10-01', '2026-10-15'], service: ['2026-10-01', '2026-10-31'] }),
  invoice('2026-10-06T08:00', 'rasmus', null, 'Illustrations for the annual report', [['5020', '3400.00', 'reverse', 'CC:110', 'PRJ:2609']], { method: 'accounts_payable', vendor: 'illustrator', invoice: ['2026-44', '2026-10-05', '2026-10-19'] }),
  invoice('2026-10-22T08:00', 'liis', null, 'Opening film for the ferry line', [['5010', '1860.00', 'reverse', 'CC:120', 'PRJ:2601']], { method: 'accounts_payable', vendor: 'animator', invoice: ['SL-0093', '2026-10-21', '2026-11-04'] }),
  invoice('2026-10-30T08:00', 'yuki', null, 'Tea tins, first series', [['5030', '412000', null, 'CC:110', 'PRJ:2604']], { wallet: 'JPY', method: 'accounts_payable', vendor: 'packaging', invoice: ['HK-7731', '2026-10-29', '2026-11-28'] }),
  invoice('2026-11-02T08:00', 'maarja', null, 'Studio rent for November', [['6410', '2108.00', 'onTop', 'CC:900']], { method: 'accounts_payable', vendor: 'landlord', invoice: ['R-2611', '2026-11-01', '2026-11-15'], service: ['2026-11-01', '2026-11-30'] }),
  invoice('2026-11-05T08:00', 'maarja', null, 'Telephone in October', [['6330', '86.80', 'onTop', 'CC:900']], { vendor: 'telecom', invoice: ['5510928', '2026-11-02', '2026-11-16'] }),
  // Credited by the printer: the same entry the other way round.
  invoice('2026-11-11T08:00', 'liis', null, 'Credit for misprinted sheets', [['5030', '-155.00', 'onTop', 'CC:110', 'PRJ:2601']], { method: 'accounts_payable', vendor: 'printer', invoice: ['26-1187-K', '2026-11-10', '2026-11-10'] }),
  invoice('2026-11-16T08:00', 'rasmus', null, 'Legal advice on the bakery contract', [['6610', '558.00', 'onTop', 'CC:900', 'PRJ:2607']], { method: 'journal', invoice: ['2026/311', '2026-11-13', '2026-11-27'] }),
];

// prettier-ignore
const payments: readonly DemoEntry[] = [
  payment('2026-09-14T07:00', 'maarja', null, 'Studio rent for September', [[null, '2108.00']], { method: 'accounts_payable', vendor: 'landlord', invoice: ['R-2609', '2026-09-01', '2026-09-15'] }),
  payment('2026-09-29T07:00', 'maarja', null, 'Ferry line stationery', [[null, '644.80']], { subType: 'invoice_payment_sent', method: 'accounts_payable', vendor: 'printer', invoice: ['26-1187', '2026-09-15', '2026-09-29'] }),
  payment('2026-10-14T07:00', 'maarja', null, 'Studio rent for October', [[null, '2108.00']], { subType: 'invoice_payment_sent', method: 'accounts_payable', vendor: 'landlord', invoice: ['R-2610', '2026-10-01', '2026-10-15'] }),
  payment('2026-10-19T07:00', 'maarja', null, 'Illustrations', [[null, '3400.00']], { subType: 'invoice_payment_sent', method: 'accounts_payable', vendor: 'illustrator', invoice: ['2026-44', '2026-10-05', '2026-10-19'] }),
  payment('2026-10-21T07:00', 'maarja', null, 'Illustrations, payment came back', [[null, '3400.00']], { subType: 'invoice_payment_returned', method: 'accounts_payable', vendor: 'illustrator', invoice: ['2026-44', '2026-10-05', '2026-10-19'] }),
  payment('2026-10-23T07:00', 'maarja', null, 'Illustrations, to the new account', [[null, '3400.00']], { subType: 'invoice_payment_sent', method: 'accounts_payable', vendor: 'illustrator', invoice: ['2026-44', '2026-10-05', '2026-10-19'] }),
  payment('2026-11-04T07:00', 'maarja', null, 'Opening film', [[null, '1860.00']], { subType: 'invoice_payment_sent', method: 'accounts_payable', vendor: 'animator', invoice: ['SL-0093', '2026-10-21', '2026-11-04'] }),
  payment('2026-11-20T07:00', 'maarja', null, 'Tea tins, half now', [[null, '206000']], { wallet: 'JPY', subType: 'invoice_payment_sent', method: 'accounts_payable', vendor: 'packaging', invoice: ['HK-7731', '2026-10-29', '2026-11-28'] }),
];

// prettier-ignore
const onCards: readonly DemoEntry[] = [
  cardInvoice('2026-09-07T10:30', 'liis', 'Fjällbokstav', 'Typeface of the ferry line', [['5040', '480.00', 'reverse', 'CC:110', 'PRJ:2601']], { method: 'accounts_payable', vendor: 'fonts', invoice: ['F-20931', '2026-09-07', '2026-09-07'] }),
  cardInvoice('2026-10-05T10:30', 'maarja', 'Saarte Side', 'Telephone in September', [['6330', '86.80', 'standard', 'CC:900']], { method: 'accounts_payable', vendor: 'telecom', invoice: ['5493310', '2026-10-02', '2026-10-16'] }),
  cardInvoice('2026-10-26T11:15', 'joonas', 'VEEBIMAJUTUS', 'Domain names for two years', [['6320', '59.52', 'standard', 'CC:120', 'PRJ:2607'], ['1410', '59.52', 'standard', 'CC:120', 'PRJ:2607']], { method: 'journal', invoice: ['W-88120', '2026-10-26', '2026-10-26'] }),
  cardInvoice('2026-11-12T09:45', 'liis', 'Fjällbokstav', 'Typeface of the bakery, web license', [['5040', '240.00', 'reverse', 'CC:110', 'PRJ:2607']], { vendor: 'fonts', invoice: ['F-21277', '2026-11-12', '2026-11-12'] }),
  card('2026-10-29T12:20', 'liis', 'Paberi ja Tindi', 'Reprint of the annual report, paid at once', [['5030', '341.00', 'standard', 'CC:110', 'PRJ:2609']], { method: 'accounts_payable', vendor: 'printer' }),
  card('2026-11-18T12:02', 'liis', 'Paberi ja Tindi', 'Overpaid reprint, given back', [['5030', '-31.00', 'standard', 'CC:110', 'PRJ:2609']], { method: 'accounts_payable', vendor: 'printer' }),
];

export const vendorEntries: readonly DemoEntry[] = [...invoices, ...payments, ...onCards];
