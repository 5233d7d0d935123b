// Fiscal periods and exchange rates of the demo company around the days of its export items.

interface DemoPeriod {
  readonly fiscalYear: number;
  /** Both days belong to the period. */
  readonly from: string;
  readonly to: string;
  readonly state: 'open' | 'closed';
}

/** The sandbox is used long after the days of its items, and what the set-up posts has the day on which it is tried. */
export const periodsSinceNovember: readonly DemoPeriod[] = [
  { fiscalYear: 2026, from: '2026-11-01', to: '2026-11-30', state: 'open' },
  { fiscalYear: 2026, from: '2026-12-01', to: '2026-12-31', state: 'open' },
  ...Array.from({ length: 10 }, (_, index) => {
    const fiscalYear = 2027 + index;
    const year = fiscalYear.toString();
    return { fiscalYear, from: `${year}-01-01`, to: `${year}-12-31`, state: 'open' as const };
  }),
];

/** The books are closed up to August. */
export const demoPeriods: readonly DemoPeriod[] = [
  { fiscalYear: 2026, from: '2026-01-01', to: '2026-06-30', state: 'closed' },
  { fiscalYear: 2026, from: '2026-07-01', to: '2026-08-31', state: 'closed' },
  { fiscalYear: 2026, from: '2026-09-01', to: '2026-09-30', state: 'open' },
  { fiscalYear: 2026, from: '2026-10-01', to: '2026-10-31', state: 'open' },
  ...periodsSinceNovember,
];

const CURRENCIES = ['USD', 'JPY', 'SEK', 'GBP'] as const;

/** EUR for one main unit, fixed each Monday as the studio's accountant does it. */
const MONDAYS: readonly (readonly [date: string, ...rates: string[]])[] = [
  ['2026-08-31', '0.8561', '0.005793', '0.09031', '1.1542'],
  ['2026-09-07', '0.8584', '0.005811', '0.09047', '1.1538'],
  ['2026-09-14', '0.8533', '0.005788', '0.09064', '1.1561'],
  ['2026-09-21', '0.8497', '0.005762', '0.09102', '1.1547'],
  ['2026-09-28', '0.8519', '0.005769', '0.09088', '1.1519'],
  ['2026-10-05', '0.8562', '0.005704', '0.09071', '1.1496'],
  ['2026-10-12', '0.8607', '0.005681', '0.09083', '1.1503'],
  ['2026-10-19', '0.8591', '0.005693', '0.09117', '1.1488'],
  ['2026-10-26', '0.8603', '0.005658', '0.09136', '1.1472'],
  ['2026-11-02', '0.8668', '0.005637', '0.09128', '1.1391'],
  ['2026-11-09', '0.8649', '0.005619', '0.09095', '1.1374'],
  ['2026-11-16', '0.8627', '0.005574', '0.09109', '1.1355'],
];

export const demoRates = MONDAYS.flatMap(([date, ...rates]) =>
  CURRENCIES.map((from, index) => ({ from, to: 'EUR', date, rate: rates[index] ?? '' })),
);
