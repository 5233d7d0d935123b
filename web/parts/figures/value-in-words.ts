import type { PlannedEntryResponse } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';
import { shownDecimal, shownWhen } from '../../messages/values.js';
import { shownMoney } from '../money.js';

const AMOUNT = /^\/(\d+)\/lines\/(\d+)\/(?:tax\/)?(\w+Minor)$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
/** Where values have words of their own, by the last name of a pointer. */
const GROUPS: Readonly<Record<string, string>> = { role: 'role', state: 'state', place: 'tax-place' };

/**
 * A value as the reader writes amounts, rates and dates, and in words where there are some for it.
 * @param entries what the pointer leads into, where that is entries: their amounts are in minor units of a currency that stands there
 */
export function valueInWords(pointer: string, text: string, entries: readonly PlannedEntryResponse[]): string {
  const [, entry, line, field] = AMOUNT.exec(pointer) ?? [];
  if (field !== undefined) {
    const lines = entries[Number(entry)]?.lines ?? [];
    // A line that is no longer there was in the currency of the others.
    const like = lines[Number(line)] ?? lines[0];
    const money = /base/i.test(field) ? like?.baseMoney : like?.money;
    return money ? shownMoney({ ...money, amountMinor: text }) : text;
  }
  if (/\/(?:rate|deductible)$/.test(pointer) && DECIMAL.test(text)) {
    return shownDecimal(text);
  }
  if (text === 'true' || text === 'false') {
    return t(text === 'true' ? 'audit.yes' : 'audit.no');
  }
  const group = pointer.startsWith('/policies/') ? 'policy-value' : GROUPS[pointer.split('/').at(-1) ?? ''];
  return shownWhen(text) ?? (group === undefined ? text : word(group, text));
}
