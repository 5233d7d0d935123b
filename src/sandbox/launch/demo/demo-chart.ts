// The chart of accounts, tax codes and dimensions of the demo company.

type AccountType = 'asset' | 'liability' | 'equity' | 'income' | 'expense';

export interface Account {
  readonly code: string;
  readonly externalId: string;
  readonly name: string;
  readonly type: AccountType;
  readonly active: boolean;
}

type Named = readonly [code: string, name: string];

export const demoAccounts: readonly Account[] = [
  ...accounts('asset', [
    ['1010', 'Petty cash'],
    ['1120', 'Bank, current account'],
    ['1125', 'Card wallet transit EUR'],
    ['1126', 'Card wallet transit USD'],
    ['1127', 'Card wallet transit JPY'],
    ['1130', 'Card wallet EUR'],
    ['1131', 'Card wallet USD'],
    ['1132', 'Card wallet JPY'],
    ['1210', 'Trade receivables'],
    ['1410', 'Prepaid expenses'],
    ['1510', 'Input VAT'],
    ['1610', 'Computers and equipment'],
  ]),
  ...accounts('liability', [
    ['2110', 'Trade payables'],
    ['2115', 'Payables to subcontractors'],
    ['2116', 'Payables to employees, by person'],
    ['2310', 'Employee expenses to settle'],
    ['2410', 'Output VAT'],
    ['2420', 'Output VAT, reverse charge'],
    ['2610', 'Loan from the parent company'],
  ]),
  ...accounts('equity', [
    ['3000', 'Share capital'],
    ['3100', 'Retained earnings'],
  ]),
  ...accounts('income', [
    ['4010', 'Design fees'],
    ['4095', 'Card rewards'],
  ]),
  ...accounts('expense', [
    ['5010', 'Subcontracted design'],
    ['5020', 'Photography and illustration'],
    ['5030', 'Printing and prototypes'],
    ['5040', 'Fonts and stock images'],
    ['6110', 'Flights and trains'],
    ['6120', 'Hotels'],
    ['6130', 'Local transport'],
    ['6140', 'Mileage allowances'],
    ['6150', 'Daily allowances'],
    ['6160', 'Meals while traveling'],
    ['6210', 'Client entertainment'],
    ['6220', 'Car hire and fuel'],
    ['6310', 'Software subscriptions'],
    ['6320', 'Cloud hosting'],
    ['6330', 'Phone and internet'],
    ['6410', 'Studio rent'],
    ['6420', 'Office supplies'],
    ['6430', 'Coffee and kitchen'],
    ['6440', 'Small equipment'],
    ['6450', 'Postage and couriers'],
    ['6510', 'Advertising'],
    ['6520', 'Conferences and courses'],
    ['6530', 'Books and magazines'],
    ['6610', 'Accounting and legal advice'],
    ['6710', 'Bank and card fees'],
    ['6720', 'Interest'],
    ['6810', 'Exchange differences, realized'],
    ['6820', 'Exchange differences, rounding'],
  ]),
  { ...account('expense', ['6490', 'Sundries (closed)']), active: false },
];

/** Rates and deductible shares are decimal text, as a share of 1. */
export const demoTaxCodes = [
  { code: 'EE24', name: 'VAT 24 %', rate: '0.24', inputAccountCode: '1510', outputAccountCode: '2410' },
  { code: 'EE13', name: 'Accommodation 13 %', rate: '0.13', inputAccountCode: '1510' },
  { code: 'EE9', name: 'Books and press 9 %', rate: '0.09', inputAccountCode: '1510' },
  { code: 'EE0', name: 'Zero rated', rate: '0' },
  {
    code: 'EE24H',
    name: 'VAT 24 %, half deductible',
    rate: '0.24',
    inputAccountCode: '1510',
    deductible: '0.5',
  },
  {
    code: 'RC24',
    name: 'Reverse charge 24 %',
    rate: '0.24',
    inputAccountCode: '1510',
    outputAccountCode: '2420',
  },
  { code: 'EE22', name: 'VAT 22 % (until mid 2025)', rate: '0.22', inputAccountCode: '1510', active: false },
] as const;

export const demoDimensions = [
  { code: 'CC', name: 'Cost centre' },
  { code: 'PRJ', name: 'Project' },
] as const;

export const demoDimensionValues = [
  ...values('CC', [
    ['110', 'Brand studio'],
    ['120', 'Digital products'],
    ['130', 'Strategy'],
    ['900', 'Management'],
  ]),
  ...values('PRJ', [
    ['2601', 'Ferry line identity'],
    ['2604', 'Kyoto tea packaging'],
    ['2607', 'Rye bakery web shop'],
    ['2609', 'Annual report'],
  ]),
];

function account(type: AccountType, [code, name]: Named): Account {
  return { code, externalId: accountIdentifier(code), name, type, active: true };
}

export function accounts(type: AccountType, rows: readonly Named[]): readonly Account[] {
  return rows.map((row) => account(type, row));
}

function values(dimensionCode: string, rows: readonly Named[]) {
  return rows.map(([code, name]) => ({ dimensionCode, code, name }));
}

/** The ledger's own identifier of an account, which the platform sends along as `identifier`. */
export function accountIdentifier(code: string): string {
  return `gl-${code}`;
}
