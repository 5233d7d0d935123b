import { describe, expect, it } from '@jest/globals';
import { rowsOf } from './demo-entry.js';
import { exportItemOf } from './export-item.js';

const card = rowsOf('card_purchase');

const eur = (value: number) => ({
  inSupplierCurrency: { currency: 'EUR', value },
  inWalletCurrency: { currency: 'EUR', value },
});

describe('the export item of a table row', () => {
  it('has money in hundredths and the tax inside the line', () => {
    const item = exportItemOf(
      card('2026-11-03T07:14', 'liis', 'Kohvik', 'Breakfast', [['6430', '62.00', 'standard', 'CC:110']]),
      7,
    );
    expect(item).toMatchObject({
      accountingEntryId: '5a170000-0009-4000-8000-000000000007',
      type: 'card_purchase',
      subType: null,
      date: '2026-11-03T07:14:00Z',
      amount: eur(6200),
      accountingEntryLines: [
        {
          lineAmount: eur(6200),
          netAmount: eur(6200),
          account: { code: '6430', identifier: 'gl-6430', name: 'Coffee and kitchen' },
          tags: [{ groupCode: 'CC', code: '110' }],
          tax: { code: 'EE24', rate: 0.24, type: 'inclusive', amount: eur(1200) },
        },
      ],
      user: { name: 'Liis Rebane', code: 'E-04' },
      vendor: null,
      bookkeeping: null,
      additionalInformation: { reconciliationId: 'SD-20261103-0714', invoiceInformation: null },
    });
  });

  it.each([
    ['onTop', 5000, 1200],
    ['reverse', 6200, 1488],
    ['reverseByRate', 6200, 0],
    ['zero', 6200, 0],
  ] as const)('with the tax "%s" has net %d and tax %d', (tax, net, taxAmount) => {
    const item = exportItemOf(card('2026-11-03T07:14', null, null, '', [['6430', '62.00', tax]]), 1);
    expect(item.accountingEntryLines[0]).toMatchObject({
      lineAmount: eur(6200),
      netAmount: eur(net),
      tax: { amount: eur(taxAmount) },
    });
  });

  it('divides the supplier’s amount in the proportion of the lines', () => {
    const item = exportItemOf(
      card(
        '2026-11-03T07:14',
        null,
        null,
        '',
        [
          ['6120', '30.00'],
          ['6160', '-10.00'],
        ],
        {
          charged: ['SEK', '219.00'],
        },
      ),
      1,
    );
    expect(item.amount.inSupplierCurrency).toEqual({ currency: 'SEK', value: 21_900 });
    expect(item.accountingEntryLines.map(({ lineAmount }) => lineAmount.inSupplierCurrency.value)).toEqual([
      32_850, -10_950,
    ]);
  });

  it('writes yen in hundredths too, and tax that is not a whole yen', () => {
    const item = exportItemOf(
      card('2026-11-03T07:14', null, null, '', [['5020', '98765', 'reverse']], { wallet: 'JPY' }),
      1,
    );
    expect(item.amount.inWalletCurrency).toEqual({ currency: 'JPY', value: 9_876_500 });
    expect(item.accountingEntryLines[0]?.tax?.amount.inWalletCurrency.value).toBe(2_370_360);
  });

  it('keeps a total that differs from its lines', () => {
    const item = exportItemOf(card('2026-11-03T07:14', null, null, '', [['6430', '62.00']], { total: '62.10' }), 1);
    expect(item.amount).toEqual(eur(6210));
  });
});
