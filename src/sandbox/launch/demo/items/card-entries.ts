// Card purchases in the studio's own currency.
import { rowsOf, type DemoEntry } from './demo-entry.js';

const card = rowsOf('card_purchase');

// prettier-ignore
const studio: readonly DemoEntry[] = [
  card('2026-09-01T06:52', 'maarja', 'Must Kass Kohv', 'Coffee beans for September', [['6430', '64.80', 'standard', 'CC:900']]),
  card('2026-09-02T11:20', 'liis', 'Raamatukoi', 'Two books on typography', [['6530', '87.20', 'reduced', 'CC:110']]),
  card('2026-09-04T13:05', 'joonas', 'Kontorimaailm', 'Markers and foam board', [['6420', '112.35', 'standard', 'CC:110', 'PRJ:2601']], { method: 'journal' }),
  card('2026-09-08T07:41', 'rasmus', 'Sadama Takso', 'To the ferry line, kick-off', [['6130', '14.60', 'standard', 'CC:130', 'PRJ:2601']]),
  card('2026-09-08T15:28', 'rasmus', 'Sadama Takso', 'Back from the ferry line', [['6130', '15.90', 'standard', 'CC:130', 'PRJ:2601']]),
  card('2026-09-10T10:02', 'liis', 'Värvipood Palett', 'Paper samples', [['5030', '48.00', 'standard', 'CC:110', 'PRJ:2604']], { method: 'journal' }),
  card('2026-09-11T16:44', 'maarja', 'Restoran Kadakas', 'Lunch with the rye bakery', [['6210', '136.40', 'half', 'CC:130', 'PRJ:2607']], { attendees: ['Maarja Kask', 'Client, two people'] }),
  card('2026-09-15T08:30', 'joonas', 'Arvutikeskus', 'Drawing tablet and a spare pen', [['6440', '389.00', 'standard', 'CC:120'], ['6420', '39.00', 'standard', 'CC:120']]),
  card('2026-09-17T09:12', 'liis', 'Tallinna Post', 'Proofs to the ferry line', [['6450', '12.75', 'zero', 'CC:110', 'PRJ:2601']], { method: 'none' }),
  card('2026-09-21T12:00', 'maarja', 'Lillepood Nelk', 'Flowers for a client', [['6210', '45.00', 'half', 'CC:130']]),
  card('2026-09-24T05:58', 'rasmus', 'Nordsild Rail', 'Train to the printing works', [['6110', '38.20', 'zero', 'CC:110', 'PRJ:2601']]),
  card('2026-09-28T10:10', 'joonas', 'Must Kass Kohv', 'Coffee beans for October', [['6430', '64.80', 'standard', 'CC:900']]),
];

// prettier-ignore
const october: readonly DemoEntry[] = [
  card('2026-10-01T08:05', 'maarja', 'Kohvik Kaneel', 'Planning day: buns, then lunch', [['6430', '28.50', 'standard', 'CC:900'], ['6160', '96.00', 'standard', 'CC:900']]),
  card('2026-10-02T14:37', 'liis', 'Kontorimaailm', 'Archive boxes, with the loyalty discount', [['6420', '74.90', 'standard', 'CC:110'], ['6420', '-9.90', 'standard', 'CC:110']]),
  card('2026-10-05T07:15', 'rasmus', 'Balti Lennud', 'Flight to Copenhagen, parent company', [['6110', '214.00', 'zero', 'CC:900']]),
  card('2026-10-06T19:48', 'rasmus', 'Hotel Havnegade', 'Two nights, breakfast apart', [['6120', '312.00', null, 'CC:900'], ['6160', '36.00', null, 'CC:900']], { charged: ['DKK', '2596.80'] }),
  card('2026-10-07T11:31', 'liis', 'Trükiäri', 'Mock-ups of the annual report', [['5030', '186.00', 'standard', 'CC:110', 'PRJ:2609']], { method: 'journal' }),
  card('2026-10-08T13:22', 'joonas', 'Tööriistamaja', 'Cutting mat and blades', [['6440', '58.20', 'standard', 'CC:110', 'PRJ:2604']]),
  card('2026-10-09T16:15', 'maarja', 'Restoran Kadakas', 'Dinner, one half for us and one for the client', [['6210', '84.00', 'half', 'CC:130', 'PRJ:2609'], ['6160', '84.00', 'standard', 'CC:130', 'PRJ:2609']]),
  card('2026-10-12T06:40', 'yuki', 'Must Kass Kohv', 'Oat milk and tea', [['6430', '23.40', 'standard', 'CC:900']]),
  card('2026-10-13T09:55', 'liis', 'Disaininädal', 'Three days of the design week', [['6520', '744.00', 'standard', 'CC:110']], { method: 'journal', service: ['2026-11-10', '2026-11-12'] }),
  card('2026-10-14T15:03', 'rasmus', 'Autorent Põhi', 'Van for the exhibition stand', [['6220', '148.80', 'half', 'CC:130']]),
  card('2026-10-15T17:20', 'rasmus', 'Kütus 24', 'Diesel for the van', [['6220', '71.36', 'half', 'CC:130']]),
  card('2026-10-16T10:48', 'joonas', 'Kaabel ja Pistik', 'Screen cables, one given back at the till', [['6440', '87.60', 'standard', 'CC:120'], ['6440', '-21.90', 'standard', 'CC:120']], { method: 'journal' }),
  card('2026-10-19T08:26', 'maarja', 'Ametlikud Teadaanded', 'Annual report filed', [['6610', '25.00', null, 'CC:900', 'PRJ:2609']]),
  card('2026-10-21T12:14', 'liis', 'Raamatukoi', 'Magazines', [['6530', '31.00', 'reduced', 'CC:110']], { method: 'none' }),
  card('2026-10-23T13:39', 'yuki', 'Pakendipood', 'Tins and washi for samples', [['5030', '132.68', 'standard', 'CC:110', 'PRJ:2604']]),
  card('2026-10-27T07:07', 'rasmus', 'Sadama Takso', 'Airport', [['6130', '17.30', 'standard', 'CC:130']]),
  card('2026-10-30T11:50', 'joonas', 'Must Kass Kohv', 'Coffee beans for November', [['6430', '66.40', 'standard', 'CC:900']]),
  // Nearly midnight in UTC, and already November in Tallinn.
  card('2026-10-31T22:35', 'liis', 'Öötakso', 'Home from the opening', [['6130', '19.80', 'standard', 'CC:110', 'PRJ:2601']]),
];

// prettier-ignore
const november: readonly DemoEntry[] = [
  card('2026-11-02T09:33', 'maarja', 'Kontorimaailm', 'Chair, and its delivery', [['6440', '289.00', 'standard', 'cc:900'], ['6450', '15.00', 'standard', 'cc:900']]),
  card('2026-11-03T10:27', 'joonas', 'Tallinna Post', 'Samples to Kyoto', [['6450', '61.40', 'zero', 'CC:110', 'PRJ:2604']], { method: 'journal' }),
  card('2026-11-05T13:13', 'liis', 'Kunstitarbed', 'Screen-printing inks for three projects', [['5030', '41.20', 'standard', 'CC:110', 'PRJ:2601'], ['5030', '41.20', 'standard', 'CC:110', 'PRJ:2604'], ['5030', '20.61', 'standard', 'CC:110', 'PRJ:2607']]),
  card('2026-11-06T16:52', 'rasmus', 'Kohvik Kaneel', 'Interview with a candidate', [['6430', '21.70', 'standard', 'CC:900']]),
  card('2026-11-09T08:44', 'maarja', 'Reklaamipind', 'Poster sites for one week', [['6510', '1240.00', 'onTop', 'CC:110', 'PRJ:2607']], { method: 'journal', service: ['2026-11-16', '2026-11-22'] }),
  card('2026-11-11T07:29', 'yuki', 'Linnaliin', 'Ten tickets', [['6130', '15.00', null, 'CC:120']], { method: 'none' }),
  // The shop credits a deposit to the card under the type of a purchase.
  card('2026-11-12T12:41', 'rasmus', 'Autorent Põhi', 'Deposit of the van comes back', [['6220', '-62.00', 'half', 'CC:130']]),
  card('2026-11-13T10:00', 'liis', 'Fotostuudio Valgus', 'Half a day of studio light', [['5020', '272.80', 'standard', 'CC:110', 'PRJ:2607']]),
  card('2026-11-17T14:18', 'joonas', 'Arvutikeskus', 'Monitor arm', [['6440', '117.80', 'standard', 'CC:120', 'PRJ:2607']], { method: 'journal' }),
  card('2026-11-19T09:09', 'maarja', 'Must Kass Kohv', 'Coffee beans for the end of the year', [['6430', '129.60', 'standard', 'CC:900']]),
];

export const cardEntries: readonly DemoEntry[] = [...studio, ...october, ...november];
