import { word } from '../messages/text.js';

/**
 * Where in an entry something stands, in words: `/entries/0/lines/1/account/code` is "entry 1, line 2, account".
 * @param wordOf the word for a name, and the name that it stands within; the name itself where there is none
 */
export function pointerInWords(pointer: string, wordOf: (name: string, within?: string) => string): string {
  const parts = pointer.split('/').filter((part) => part !== '' && part !== 'code');
  return parts
    .flatMap((part, index) => {
      if (/^\d+$/.test(part)) {
        return [];
      }
      const next = parts[index + 1] ?? '';
      return /^\d+$/.test(next) ? `${wordOf(part)} ${(Number(next) + 1).toString()}` : wordOf(part, parts[index - 1]);
    })
    .join(', ');
}

/** Where the names of fields and settings have words, as the page calls them elsewhere. */
const GROUPS = ['field', 'policy', 'account', 'item-type'];

/**
 * @param within the field that it is part of: the rate of a tax is another one than that of a currency
 * @returns the word for a field, a setting or the type of entry that a setting is for; the name itself where there is none
 */
export function fieldInWords(name: string, within = ''): string {
  const part = `${within}.${name}`;
  const own = word('field', part);
  return own === part ? (GROUPS.map((group) => word(group, name)).find((text) => text !== name) ?? name) : own;
}
