import { t, word, type MessageKey } from '../../messages/text.js';

/** Names of settings as plans keep them, in English. */
const NAMES: Readonly<Partial<Record<string, MessageKey>>> = {
  'Out-of-pocket': 'account.outOfPocket',
  'Company bank': 'account.companyBank',
  'Accounts payable': 'account.accountsPayable',
  'FX rounding': 'account.fxRounding',
  'Realized FX gain/loss': 'account.realizedFx',
};
const NAMES_OF: Readonly<Partial<Record<string, MessageKey>>> = {
  Wallet: 'account.wallet',
  'Company bank': 'account.companyBankIn',
  'Fallback account': 'account.fallback',
};

/** @returns the name of a setting as the set-up has it; of one that is newer than this page the name itself */
export function settingInWords(name: string): string {
  const [, setting = '', of = ''] = /^(.+) \((\w+)\)$/.exec(name) ?? [];
  const key = NAMES[name] ?? NAMES_OF[setting];
  return key === undefined ? name : t(key, { currency: of, type: word('item-type', of) });
}
