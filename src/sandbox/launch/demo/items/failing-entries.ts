// The five entries that must not be posted, each for another reason that a bookkeeper can resolve.
import { rowsOf, type DemoEntry } from './demo-entry.js';

const card = rowsOf('card_purchase');
const invoice = rowsOf('invoice');

// prettier-ignore
export const failingEntries: readonly DemoEntry[] = [
  card('2026-10-29T08:15', 'joonas', 'Kootud Kampsun', 'Pullovers for the team', [['6475', '348.00', 'standard', 'CC:900']], { failsWith: 'account_unknown' }),
  card('2026-11-03T12:50', 'liis', 'Vana Arve Pood', 'Receipt with last year’s tax rate', [['6420', '61.00', 'old', 'CC:110']], { failsWith: 'tax_code_unknown' }),
  card('2026-11-09T15:35', 'yuki', 'Pakendipood', 'Boxes for a project not in the books yet', [['5030', '57.04', 'standard', 'CC:110', 'PRJ:2612']], { failsWith: 'tag_unknown' }),
  invoice('2026-11-11T09:00', 'maarja', null, 'Stand at the design fair', [['6510', '1488.00', 'onTop', 'CC:130']], { method: 'accounts_payable', vendor: 'fair', invoice: ['BDM-204', '2026-11-10', '2026-11-24'], failsWith: 'vendor_unknown' }),
  card('2026-11-13T18:40', 'rasmus', 'Restoran Kadakas', 'Dinner after the fair, split by hand', [['6210', '62.00', 'half', 'CC:130'], ['6160', '31.40', 'standard', 'CC:130']], { total: '93.50', failsWith: 'validation_failure' }),
];
