// The second company of the demo: a sister of the first in Malmö with books in kronor. It shows that two companies share a
// connector and nothing else.
import { accounts } from './demo-chart.js';
import { demoPeople } from './demo-company.js';
import type { DemoCustomer } from './demo-customers.js';
import { periodsSinceNovember } from './items/demo-calendar.js';
import { rowsOf, type DemoEntry } from './items/demo-entry.js';
import { demoId } from './items/demo-id.js';
import { exportItemOf } from './items/export-item.js';

/** Far above the entries of the first company and those that tests and benchmarks add to them. */
const FIRST_ENTRY = 10_000_001;

const company = {
  id: demoId('company', 2),
  ledgerId: demoId('ledgerCompany', 2),
  name: 'Öresund Form AB',
  registrationNumber: '559340-1187',
  functionalCurrency: 'SEK',
  timeZone: 'Europe/Stockholm',
  country: 'SE',
  address: { addressLine1: 'Västra Varvsgatan 3', locality: 'Malmö', postalCode: '211 77', country: 'SE' },
} as const;

const chart = [
  ...accounts('asset', [
    ['1935', 'Card wallet SEK'],
    ['1940', 'Bank, current account'],
    ['2641', 'Input VAT'],
  ]),
  ...accounts('liability', [
    ['2440', 'Trade payables'],
    ['2890', 'Employee expenses to settle'],
  ]),
  ...accounts('expense', [
    ['5460', 'Studio materials'],
    ['5810', 'Tickets'],
    ['6071', 'Client entertainment'],
    ['6570', 'Bank and card fees'],
    ['3740', 'Rounding'],
    ['7960', 'Exchange differences, realized'],
  ]),
];

const card = rowsOf('card_purchase');
const outOfPocket = rowsOf('out_of_pocket');
const topUp = rowsOf('wallet_topup');
const fee = rowsOf('fee');
const SEK = { wallet: 'SEK' } as const;

// prettier-ignore
const entries: readonly DemoEntry[] = [
  topUp('2026-11-02T06:00', null, null, 'Top-up', [[null, '15000.00']], SEK),
  card('2026-11-04T09:15', 'astrid', 'Konstnärernas', 'Oak veneer for the chair', [['5460', '2375.00', 'swedish']], { ...SEK, method: 'journal' }),
  card('2026-11-10T06:40', 'astrid', 'Öresundståg', 'To Copenhagen and back', [['5810', '298.00']], SEK),
  card('2026-11-12T11:20', 'astrid', 'KAFFEBAR APS', 'Lunch with the museum', [['6071', '543.20']], { ...SEK, charged: ['DKK', '369.00'] }),
  outOfPocket('2026-11-17T15:05', 'astrid', 'Järnhandeln', 'Screws and glue', [['5460', '187.50', 'swedish']], SEK),
  fee('2026-11-18T22:00', null, null, 'Exchange fee', [['6570', '10.86']], SEK),
];

const owner = { companyId: company.id, accounts: chart };

export const secondCustomer: DemoCustomer = {
  company,
  emailDomain: 'oresundform.example',
  people: [demoPeople.astrid],
  wallets: [{ currency: 'SEK', account: '1935', bank: '1940' }],
  lists: [
    ['periods', periodsSinceNovember],
    ['accounts', chart],
    ['tax-codes', [{ code: 'SE25', name: 'VAT 25 %', rate: '0.25', inputAccountCode: '2641' }]],
  ],
  accounts: chart,
  platformVendors: [],
  settings: {
    accounts: {
      wallets: { SEK: '1935' },
      companyBank: '1940',
      outOfPocket: '2890',
      accountsPayable: '2440',
      fxRounding: '3740',
      realizedFx: '7960',
      fallbackAccounts: { fee: '6570' },
    },
    policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'posted', conflicts: 'fail' },
  },
  items: entries.map((entry, index) => ({ entry, item: exportItemOf(entry, FIRST_ENTRY + index, owner) })),
  receipts: [],
};
