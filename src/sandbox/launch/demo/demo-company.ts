// The company of the demo: a small Danish-owned design studio in Tallinn. Nothing about it exists outside this folder.
import { demoId } from './items/demo-id.js';

export const demoCompany = {
  id: demoId('company', 1),
  /** Its id in the ledger, which knows nothing of the platform's. */
  ledgerId: demoId('ledgerCompany', 1),
  name: 'Saltholm Disain OÜ',
  registrationNumber: '16904217',
  functionalCurrency: 'EUR',
  timeZone: 'Europe/Tallinn',
  country: 'EE',
  address: { addressLine1: 'Kaluri 9', locality: 'Tallinn', postalCode: '10415', country: 'EE' },
} as const;

export type WalletCurrency = 'EUR' | 'USD' | 'JPY' | 'SEK';

export interface Wallet {
  readonly currency: WalletCurrency;
  /** Code of the ledger account of the money on the cards. */
  readonly account: string;
  /** Code of the transit account that top-ups come from. */
  readonly bank: string;
}

export const demoWallets: readonly Wallet[] = [
  { currency: 'EUR', account: '1130', bank: '1125' },
  { currency: 'USD', account: '1131', bank: '1126' },
  { currency: 'JPY', account: '1132', bank: '1127' },
];

export type PersonName = 'astrid' | 'maarja' | 'rasmus' | 'joonas' | 'liis' | 'yuki';

export interface Person {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The employee's number in the books; people may be without one. */
  readonly code: string | null;
}

export const demoPeople: Readonly<Record<PersonName, Person>> = {
  maarja: { id: demoId('person', 1), firstName: 'Maarja', lastName: 'Kask', code: 'E-01' },
  rasmus: { id: demoId('person', 2), firstName: 'Rasmus', lastName: 'Holm', code: 'E-02' },
  joonas: { id: demoId('person', 3), firstName: 'Joonas', lastName: 'Tamm', code: 'E-03' },
  liis: { id: demoId('person', 4), firstName: 'Liis', lastName: 'Rebane', code: 'E-04' },
  yuki: { id: demoId('person', 5), firstName: 'Yuki', lastName: 'Mori', code: null },
  // Of the second company.
  astrid: { id: demoId('person', 6), firstName: 'Astrid', lastName: 'Lindqvist', code: 'A-1' },
};

/** What an administrator enters in the connector: accounts by their codes in the ledger. */
export const demoSettings = {
  accounts: {
    wallets: Object.fromEntries(demoWallets.map(({ currency, account }) => [currency, account])),
    companyBank: '1125',
    companyBankByCurrency: Object.fromEntries(demoWallets.map(({ currency, bank }) => [currency, bank])),
    outOfPocket: '2310',
    accountsPayable: '2110',
    fxRounding: '6820',
    realizedFx: '6810',
    fallbackAccounts: { fee: '6710', cashback: '4095' },
  },
  // Posted rather than the cautious default, draft: a trial balance counts what is posted.
  policies: { unknownVendor: 'create', closedPeriod: 'fail', postingState: 'posted', conflicts: 'fail' },
} as const;
