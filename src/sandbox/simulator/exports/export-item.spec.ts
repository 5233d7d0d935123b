import { describe, expect, it } from '@jest/globals';
import { readNewItems } from './export-item.js';

const COMPANY = '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0001';
const ID = '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0002';
const NOW = new Date('2026-03-01T00:00:00Z');
const money = (currency = 'EUR') => ({ currency, value: 100 });
const dual = (currency?: string) => ({ inSupplierCurrency: money(currency), inWalletCurrency: money(currency) });
const line = (extra: object = {}) => ({ lineAmount: dual(), netAmount: dual(), ...extra });
const taxed = (extra: object) =>
  line({ tax: { id: ID, rate: 0.2, type: 'inclusive', amount: dual(), ingoingTaxAccount: '1', ...extra } });
const owed = (extra: object) => ({ vendor: { id: ID, name: 'Paper Ltd', defaultCurrency: 'EUR', ...extra } });
const item = (extra: object = {}) => ({ amount: dual(), accountingEntryLines: [line()], ...extra });
const read = (content: object) => () =>
  readNewItems(JSON.stringify([content]), COMPANY, { now: NOW, site: 'https://platform.example' }, 'as_documented');
const PUBLISHED = 'XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX UNDEFINED LTL USS RUR BYR EUR KWD'.split(
  ' ',
);

describe('a documented item', () => {
  it.each([
    ['its company', { companyId: COMPANY }],
    ['its company in capitals', { companyId: COMPANY.toUpperCase() }],
    ['29 February of a leap year', { date: '2028-02-29T23:59:59Z' }],
    ['null where it may be', { note: null, vendor: null, supplier: null, files: null, servicePeriod: null }],
    ['a taxed line', { accountingEntryLines: [taxed({})] }],
    ['a vendor with its numbers', owed({ registrationNumber: '1', taxRegistrationNumber: '2', country: 'DK' })],
    ...PUBLISHED.map((code) => [code, { amount: dual(code) }] as const),
    ...PUBLISHED.filter((code) => code !== 'UNDEFINED').map(
      (c) => [`vendor ${c}`, owed({ defaultCurrency: c })] as const,
    ),
  ])('may have %s', (_what, extra) => {
    expect(read(item(extra))).not.toThrow();
  });

  it.each([
    ['another company', { companyId: ID }],
    ['30 February', { date: '2026-02-30T00:00:00Z' }],
    ['29 February of no leap year', { date: '2026-02-29T00:00:00Z' }],
    ['the hour 25', { date: '2026-02-28T25:00:00Z' }],
    ['a service until 31 April', { servicePeriod: { from: '2026-04-01T00:00:00Z', to: '2026-04-31T00:00:00Z' } }],
    [
      'an invoice of 30 February',
      {
        type: 'invoice',
        additionalInformation: {
          invoiceInformation: { invoiceNumber: '1', invoiceDate: '2026-02-30', status: 'paid' },
        },
      },
    ],
    ['an unknown currency', { amount: dual('ABC') }],
    ['a size that is no whole number', { files: [{ url: 'https://x.example/', type: 'image/png', size: 0.5 }] }],
    ['a tax account null', { accountingEntryLines: [taxed({ ingoingTaxAccount: null })] }],
    ['links that are no texts', { _links: { web: { exportItem: 5 } } }],
    ...[
      'accountingEntryId',
      'companyId',
      'type',
      'date',
      'amount',
      'accountingEntryLines',
      'additionalInformation',
      '_links',
    ].flatMap((field) => [
      [`${field} null`, { [field]: null }] as const,
      [`${field} a number`, { [field]: 5 }] as const,
    ]),
    ...['code', 'externalId', 'country', 'registrationNumber', 'taxRegistrationNumber'].flatMap((field) => [
      [`the vendor's ${field} null`, owed({ [field]: null })] as const,
      [`the vendor's ${field} a number`, owed({ [field]: 5 })] as const,
    ]),
    ['a line without an id', { accountingEntryLines: [line({ accountingEntryLineId: null })] }],
    ['a note that is a number', { note: 5 }],
    ['a supplier that is a number', { supplier: 5 }],
  ])('never has %s', (_what, extra) => {
    expect(read(item(extra))).toThrow();
  });
});
