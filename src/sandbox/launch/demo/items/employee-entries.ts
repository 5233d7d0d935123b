// What employees paid themselves, what they are owed for traveling, and how they got it back.
import { rowsOf, type DemoEntry } from './demo-entry.js';

const outOfPocket = rowsOf('out_of_pocket');
const mileage = rowsOf('mileage');
const perDiem = rowsOf('per_diem');
const toEmployee = rowsOf('direct_reimbursement');
const outside = rowsOf('external_reimbursement');
const personal = rowsOf('personal_spend');

// prettier-ignore
const costs: readonly DemoEntry[] = [
  outOfPocket('2026-09-09T18:20', 'liis', 'Parkla 7', 'Parking at the printing works', [['6130', '9.60', 'standard', 'CC:110', 'PRJ:2601']]),
  outOfPocket('2026-09-18T12:35', 'maarja', 'Turukaubamaja', 'Props for the bakery shoot', [['5020', '38.44', 'standard', 'CC:110', 'PRJ:2607']], { method: 'journal' }),
  outOfPocket('2026-10-01T16:40', 'yuki', 'Laevapilet', 'Ferry to Helsinki', [['6110', '54.00', 'zero', 'CC:110']]),
  outOfPocket('2026-10-07T20:15', 'rasmus', 'Bodega Fisken', 'Dinner with the parent company', [['6160', '62.30', null, 'CC:900']], { charged: ['DKK', '464.80'] }),
  outOfPocket('2026-10-12T11:11', 'joonas', 'Kaabel ja Pistik', 'Adapter, card machine was down', [['6440', '24.80', 'onTop', 'CC:120']], { method: 'journal' }),
  outOfPocket('2026-10-26T09:48', 'joonas', 'Paberi ja Tindi', 'Express proofs, paid in the shop', [['5030', '93.00', 'standard', 'CC:110', 'PRJ:2609']], { method: 'accounts_payable', vendor: 'printer' }),
  outOfPocket('2026-11-04T17:05', 'joonas', 'Kodu Internet', 'Home office line, his share', [['6330', '31.00', 'standard', 'CC:120']], { method: 'accounts_payable', vendor: 'joonas' }),
  outOfPocket('2026-11-10T13:26', 'liis', 'Apteek Kesklinn', 'First-aid box for the studio', [['6420', '27.28', 'standard', 'CC:900']]),
  outOfPocket('2026-11-16T19:50', 'maarja', 'Kontserdimaja', 'Tickets with a client', [['6210', '68.00', 'reduced', 'CC:130', 'PRJ:2609']], { method: 'none' }),
  mileage('2026-09-09T19:00', 'liis', null, 'Printing works and back, 124 km', [['6140', '62.00', null, 'CC:110', 'PRJ:2601']]),
  mileage('2026-09-25T16:00', 'maarja', null, 'Rye bakery in Võru, 496 km', [['6140', '248.00', null, 'CC:130', 'PRJ:2607']]),
  mileage('2026-10-20T15:30', 'liis', null, 'Printing works and back, 124 km', [['6140', '62.00', null, 'CC:110', 'PRJ:2609']], { method: 'journal' }),
  mileage('2026-11-06T15:00', 'maarja', null, 'Exhibition hall, 38 km', [['6140', '19.00', null, 'CC:130']]),
  mileage('2026-11-13T18:00', 'joonas', null, 'Rye bakery in Võru, 496 km', [['6140', '248.00', null, 'CC:120', 'PRJ:2607']], { method: 'accounts_payable', vendor: 'joonas' }),
  perDiem('2026-09-24T20:00', 'yuki', null, 'Kyoto, four days', [['6150', '200.00', null, 'CC:110', 'PRJ:2604']]),
  perDiem('2026-10-07T21:00', 'rasmus', null, 'Copenhagen, three days', [['6150', '150.00', null, 'CC:900']]),
  perDiem('2026-10-02T18:00', 'yuki', null, 'Helsinki, one day', [['6150', '50.00', null, 'CC:110']], { method: 'none' }),
  perDiem('2026-11-12T20:00', 'liis', null, 'Design week in Riga, three days', [['6150', '150.00', null, 'CC:110']]),
];

// What is reimbursed is named by its time.
// prettier-ignore
const settled: readonly DemoEntry[] = [
  toEmployee('2026-09-28T08:00', 'liis', null, 'Parking and mileage of September', [[null, '71.60']], { reimburses: ['2026-09-09T18:20', '2026-09-09T19:00'] }),
  toEmployee('2026-09-30T08:00', 'maarja', null, 'Props and mileage of September', [[null, '286.44']], { subType: 'reimbursement_to_employee', reimburses: ['2026-09-18T12:35', '2026-09-25T16:00'] }),
  toEmployee('2026-10-09T08:00', 'rasmus', null, 'Copenhagen', [[null, '212.30']], { subType: 'reimbursement_to_employee', reimburses: ['2026-10-07T20:15', '2026-10-07T21:00'] }),
  toEmployee('2026-10-12T09:30', 'rasmus', null, 'Bounced: old account number', [[null, '212.30']], { subType: 'reimbursement_to_employee_refund', reimburses: ['2026-10-07T20:15', '2026-10-07T21:00'] }),
  toEmployee('2026-10-13T08:00', 'rasmus', null, 'Copenhagen, second attempt', [[null, '212.30']], { subType: 'reimbursement_to_employee', reimburses: ['2026-10-07T20:15', '2026-10-07T21:00'] }),
  toEmployee('2026-11-09T08:00', 'joonas', null, 'Home office line', [[null, '31.00']], { subType: 'reimbursement_to_employee', method: 'accounts_payable', vendor: 'joonas', reimburses: ['2026-11-04T17:05'] }),
  toEmployee('2026-11-18T08:00', 'liis', null, 'Pays the groceries back', [[null, '23.15']], { subType: 'reimbursement_to_company', reimburses: ['2026-09-12T16:20'] }),
  outside('2026-10-05T08:00', 'yuki', null, 'Kyoto, with the salary', [[null, '200.00']], { reimburses: ['2026-09-24T20:00'] }),
  outside('2026-10-15T08:00', 'yuki', null, 'Helsinki, with the salary', [[null, '104.00']], { subType: 'reimbursement_to_employee', reimburses: ['2026-10-01T16:40', '2026-10-02T18:00'] }),
  outside('2026-10-19T08:00', 'yuki', null, 'Helsinki came back from the bank', [[null, '-104.00']], { subType: 'reimbursement_to_employee_refund', reimburses: ['2026-10-01T16:40', '2026-10-02T18:00'] }),
  outside('2026-11-02T08:30', 'rasmus', null, 'Pays the toys back, by bank', [[null, '41.90']], { subType: 'reimbursement_to_company', reimburses: ['2026-10-24T12:05'] }),
];

// prettier-ignore
const privateSpending: readonly DemoEntry[] = [
  personal('2026-09-12T16:20', 'liis', 'Toidupood', 'Groceries, wrong card at the till', [[null, '23.15']]),
  personal('2026-10-24T12:05', 'rasmus', 'Mänguasjad', 'Toys, wrong card', [[null, '41.90']]),
  personal('2026-11-15T03:30', 'yuki', 'KONBINI SANJO', 'Private', [[null, '860']], { wallet: 'JPY' }),
];

export const employeeEntries: readonly DemoEntry[] = [...costs, ...settled, ...privateSpending];
