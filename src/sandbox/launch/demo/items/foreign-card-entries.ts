// Card purchases from the wallets in dollars and yen, and in other currencies from the one in euros.
import { rowsOf, type DemoEntry } from './demo-entry.js';

const card = rowsOf('card_purchase');

// prettier-ignore
const dollars: readonly DemoEntry[] = [
  card('2026-09-03T09:00', 'joonas', 'VECTORPAD INC', 'Drawing software, five seats', [['6310', '275.00', 'reverse', 'CC:110']], { wallet: 'USD', service: ['2026-09-03', '2026-10-02'] }),
  card('2026-09-14T02:11', 'joonas', 'NORTHBEAM', 'Servers in August', [['6320', '184.27', 'reverse', 'CC:120', 'PRJ:2607']], { wallet: 'USD', method: 'accounts_payable', vendor: 'hosting', service: ['2026-08-01', '2026-08-31'] }),
  card('2026-10-03T09:00', 'joonas', 'VECTORPAD INC', 'Drawing software, five seats', [['6310', '275.00', 'reverse', 'CC:110']], { wallet: 'USD', service: ['2026-10-03', '2026-11-02'] }),
  card('2026-10-14T02:13', 'joonas', 'NORTHBEAM', 'Servers in September', [['6320', '191.03', 'reverse', 'CC:120', 'PRJ:2607']], { wallet: 'USD', method: 'accounts_payable', vendor: 'hosting', service: ['2026-09-01', '2026-09-30'] }),
  // In euros the three parts are a cent less than the whole, which goes to rounding.
  card('2026-10-20T17:45', 'liis', 'GLYPH ARCHIVE LLC', 'Type license shared by three projects', [['5040', '12.40', null, 'CC:110', 'PRJ:2601'], ['5040', '12.40', null, 'CC:110', 'PRJ:2604'], ['5040', '12.40', null, 'CC:110', 'PRJ:2607']], { wallet: 'USD' }),
  card('2026-10-22T12:30', 'liis', 'STOCKLIGHT PHOTOS', 'Picture credits', [['5040', '49.00', 'reverseByRate', 'CC:110', 'PRJ:2609']], { wallet: 'USD', method: 'journal' }),
  card('2026-11-03T09:00', 'joonas', 'VECTORPAD INC', 'Drawing software, six seats', [['6310', '330.00', 'reverse', 'CC:110']], { wallet: 'USD', service: ['2026-11-03', '2026-12-02'] }),
  card('2026-11-10T20:05', 'rasmus', 'FORM AND FIELD CONF', 'Early ticket with the speaker discount', [['6520', '640.00', null, 'CC:130'], ['6520', '-128.00', null, 'CC:130']], { wallet: 'USD' }),
  card('2026-11-14T02:09', 'joonas', 'NORTHBEAM', 'Servers in October', [['6320', '203.48', 'reverse', 'CC:120', 'PRJ:2607']], { wallet: 'USD', method: 'accounts_payable', vendor: 'hosting', service: ['2026-10-01', '2026-10-31'] }),
];

// prettier-ignore
const yen: readonly DemoEntry[] = [
  card('2026-09-22T01:20', 'yuki', 'KARASUMA BUNGU', 'Paper swatches', [['5030', '4180', null, 'CC:110', 'PRJ:2604']], { wallet: 'JPY' }),
  card('2026-09-22T04:02', 'yuki', 'KYOTO SHI BUS', 'Day pass', [['6130', '1100', null, 'CC:110', 'PRJ:2604']], { wallet: 'JPY' }),
  card('2026-09-23T11:40', 'yuki', 'RYOKAN MOMIJI', 'Two nights, dinner apart', [['6120', '38600', null, 'CC:110', 'PRJ:2604'], ['6160', '9400', null, 'CC:110', 'PRJ:2604']], { wallet: 'JPY' }),
  // The tax of a service is not a whole number of yen.
  card('2026-10-16T03:30', 'yuki', 'SHASHIN KOBO', 'Photographs of the tea tins', [['5020', '98765', 'reverse', 'CC:110', 'PRJ:2604']], { wallet: 'JPY', method: 'journal' }),
  card('2026-11-04T02:18', 'yuki', 'HAKOYA KOGEI', 'Trial run of the tins', [['5030', '64350', null, 'CC:110', 'PRJ:2604']], { wallet: 'JPY', method: 'accounts_payable', vendor: 'packaging' }),
  card('2026-11-18T05:55', 'yuki', 'KARASUMA BUNGU', 'Ribbon, less the voucher', [['5030', '2640', null, 'CC:110', 'PRJ:2604'], ['5030', '-500', null, 'CC:110', 'PRJ:2604']], { wallet: 'JPY' }),
];

// prettier-ignore
const othersInEuros: readonly DemoEntry[] = [
  card('2026-09-29T14:25', 'rasmus', 'Slussens Kaffebar', 'Meeting in Stockholm', [['6160', '11.90', null, 'CC:130']], { charged: ['SEK', '131.00'] }),
  card('2026-09-30T06:10', 'rasmus', 'Ostkusten Express', 'Train to the client', [['6110', '42.55', null, 'CC:130', 'PRJ:2601']], { charged: ['SEK', '468.50'] }),
  card('2026-10-28T10:35', 'maarja', 'THE LETTERFORM PRESS', 'Book order from London', [['6530', '74.12', null, 'CC:110']], { charged: ['GBP', '64.40'] }),
];

export const foreignCardEntries: readonly DemoEntry[] = [...dollars, ...yen, ...othersInEuros];
