import { describe, expect, it } from '@jest/globals';
import { figure, money, sheet, text } from './sheet.js';

interface Amount {
  readonly minor: string | null;
  readonly currency: string;
}

describe('a sheet', () => {
  it('has a header line and ends every line', () => {
    const made = sheet<readonly Amount[], Amount>({
      fileName: () => 'x',
      rows: (rows) => rows,
      columns: [
        text('currency', (row) => row.currency),
        ...money(
          'amount',
          (row: Amount) => row.minor,
          (row) => row.currency,
        ),
      ],
    });
    const rows = [
      { minor: '-1234', currency: 'EUR' },
      { minor: '5', currency: 'EUR' },
      { minor: '-1500', currency: 'JPY' },
      { minor: '1234', currency: 'KWD' },
      { minor: null, currency: 'EUR' },
    ];
    expect(made.write(rows)).toBe(
      'currency,amountMinor,amount\r\nEUR,-1234,-12.34\r\nEUR,5,0.05\r\nJPY,-1500,-1500\r\nKWD,1234,1.234\r\nEUR,,\r\n',
    );
    expect(made.write([])).toBe('currency,amountMinor,amount\r\n');
  });

  it('guards a figure that is not a number against formulas', () => {
    const made = sheet({
      fileName: () => 'x',
      rows: (row: string) => [row],
      columns: [figure<string, string>('h', (row) => row)],
    });
    expect(made.write('-1+1')).toBe(`h\r\n'-1+1\r\n`);
    expect(made.write('-1')).toBe('h\r\n-1\r\n');
  });
});
