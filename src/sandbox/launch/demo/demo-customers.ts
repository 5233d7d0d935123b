// What the demo enters for each of its companies, on the platform, in the ledger and in the connector.
import { demoAccounts, demoDimensions, demoDimensionValues, demoTaxCodes, type Account } from './demo-chart.js';
import { demoCompany, demoPeople, demoSettings, demoWallets, type Person, type Wallet } from './demo-company.js';
import { demoPlatformVendors, demoVendors } from './demo-vendors.js';
import { demoPeriods, demoRates } from './items/demo-calendar.js';
import { demoItems, type DemoItem } from './items/demo-items.js';
import { demoReceipts, type DemoReceipts } from './items/demo-receipts.js';

export interface DemoCustomer {
  readonly company: {
    /** On the platform. */
    readonly id: string;
    /** In the ledger, which knows nothing of the platform's. */
    readonly ledgerId: string;
    readonly name: string;
    readonly registrationNumber: string;
    readonly functionalCurrency: string;
    readonly timeZone: string;
    readonly country: string;
    readonly address: object;
  };
  readonly emailDomain: string;
  /** The first one presses Export. */
  readonly people: readonly [Person, ...Person[]];
  readonly wallets: readonly Wallet[];
  readonly accounts: readonly Account[];
  /** Lists of the ledger by their paths, each after those that it refers to. */
  readonly lists: readonly (readonly [path: string, data: readonly object[]])[];
  /** On the platform, as its users have entered them; export items name them by id. */
  readonly platformVendors: readonly object[];
  /** What an administrator enters in the connector. */
  readonly settings: object;
  readonly items: readonly DemoItem[];
  readonly receipts: readonly DemoReceipts[];
}

export const firstCustomer: DemoCustomer = {
  company: demoCompany,
  emailDomain: 'saltholm.example',
  people: [demoPeople.maarja, demoPeople.rasmus, demoPeople.joonas, demoPeople.liis, demoPeople.yuki],
  wallets: demoWallets,
  accounts: demoAccounts,
  // Tax codes and vendors name accounts, values name dimensions.
  lists: [
    ['periods', demoPeriods],
    ['accounts', demoAccounts],
    ['tax-codes', demoTaxCodes],
    ['dimensions', demoDimensions],
    ['dimension-values', demoDimensionValues],
    ['vendors', demoVendors],
    ['exchange-rates', demoRates],
  ],
  platformVendors: demoPlatformVendors,
  settings: demoSettings,
  items: demoItems,
  receipts: demoReceipts,
};
