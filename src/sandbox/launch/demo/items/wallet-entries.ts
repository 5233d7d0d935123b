// Money that moves without a purchase: between bank and wallet, back from suppliers, to the cash box, to the card company.
import { rowsOf, type DemoEntry } from './demo-entry.js';

const topUp = rowsOf('wallet_topup');
const unload = rowsOf('wallet_unload');
const refund = rowsOf('refund');
const chargeback = rowsOf('chargeback');
const cashback = rowsOf('cashback');
const atm = rowsOf('atm_withdrawal');
const fee = rowsOf('fee');

// prettier-ignore
const transfers: readonly DemoEntry[] = [
  topUp('2026-09-01T05:00', null, null, 'Top-up', [[null, '6000.00']]),
  topUp('2026-09-01T05:01', null, null, 'Top-up', [[null, '1500.00']], { wallet: 'USD' }),
  topUp('2026-09-18T05:00', null, null, 'Top-up before Kyoto', [[null, '350000']], { wallet: 'JPY' }),
  topUp('2026-10-01T05:00', null, null, 'Top-up', [[null, '9000.00']]),
  topUp('2026-11-02T05:00', null, null, 'Top-up', [[null, '7500.00']]),
  topUp('2026-11-02T05:01', null, null, 'Top-up', [[null, '1000.00']], { wallet: 'USD' }),
  topUp('2026-11-19T05:00', null, null, 'Top-up for the tins', [[null, '250000']], { wallet: 'JPY' }),
  unload('2026-10-30T05:00', null, null, 'Back to the bank', [[null, '400.00']], { wallet: 'USD' }),
  // Sent with the sign of the wallet; the direction is in the type.
  unload('2026-11-20T05:00', null, null, 'Back to the bank', [[null, '-1250.00']]),
];

// prettier-ignore
const back: readonly DemoEntry[] = [
  refund('2026-09-19T10:00', 'joonas', 'Arvutikeskus', 'Spare pen returned', [['6420', '-39.00', 'standard', 'CC:120']]),
  refund('2026-10-08T10:00', 'rasmus', 'Balti Lennud', 'Seat was not available', [['6110', '18.00', 'zero', 'CC:900']], { method: 'journal' }),
  refund('2026-10-27T16:30', 'joonas', 'VECTORPAD INC', 'One seat too many', [['6310', '-55.00', 'reverse', 'CC:110']], { wallet: 'USD' }),
  refund('2026-11-06T10:00', 'liis', 'Kontorimaailm', 'Two boxes were torn', [['6420', '14.98', 'standard', 'CC:110']]),
  refund('2026-11-17T10:00', 'liis', 'Fjällbokstav', 'Web license was cheaper', [['5040', '-60.00', 'reverse', 'CC:110', 'PRJ:2607']], { method: 'accounts_payable', vendor: 'fonts' }),
  refund('2026-11-19T04:10', 'yuki', 'KARASUMA BUNGU', 'Wrong ribbon', [['5030', '-1320', null, 'CC:110', 'PRJ:2604']], { wallet: 'JPY' }),
  chargeback('2026-10-15T10:00', 'maarja', 'Tundmatu Pood', 'Never ordered: the bank took it back', [['6420', '79.00', null, 'CC:900']]),
  chargeback('2026-11-03T10:00', 'liis', 'STOCKLIGHT PHOTOS', 'Charged twice', [['5040', '-49.00', 'reverse', 'CC:110', 'PRJ:2609']], { wallet: 'USD' }),
  cashback('2026-10-01T04:00', null, null, 'Rewards of September', [[null, '11.84']]),
  cashback('2026-11-01T04:00', null, null, 'Rewards of October', [[null, '-19.27']]),
  cashback('2026-11-01T04:01', null, null, 'Rewards of October', [['4095', '3.30']], { wallet: 'USD' }),
];

// prettier-ignore
const cashAndFees: readonly DemoEntry[] = [
  atm('2026-09-23T00:45', 'yuki', 'ATM KYOTO EKI', 'Cash for temples and buses', [['1010', '20000']], { wallet: 'JPY' }),
  atm('2026-10-17T09:20', 'maarja', 'ATM Kaluri', 'Cash box', [['1010', '100.00']]),
  fee('2026-09-23T00:46', null, null, 'Withdrawal abroad', [[null, '330']], { wallet: 'JPY' }),
  fee('2026-09-30T22:00', null, null, 'Exchange fees of September', [['6710', '4.18']]),
  fee('2026-10-31T21:00', null, null, 'Subscription of the card platform', [['6710', '49.00', 'reverse', 'CC:900']], { method: 'journal' }),
  fee('2026-10-31T21:01', null, null, 'Overdrawn in October', [['6720', '1.37']], { subType: 'interest' }),
  fee('2026-11-10T20:06', null, null, 'Exchange fee', [[null, '6.40']], { wallet: 'USD' }),
  fee('2026-11-14T02:10', 'joonas', 'NORTHBEAM', 'Late payment fee', [['6710', '5.00']], { wallet: 'USD', method: 'accounts_payable', vendor: 'hosting' }),
];

export const walletEntries: readonly DemoEntry[] = [...transfers, ...back, ...cashAndFees];
