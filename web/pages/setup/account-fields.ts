// Which setting a check of the set-up is about.
import type { SettingsRequest } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';

type Accounts = SettingsRequest['accounts'];
const ONE = {
  'out-of-pocket': 'outOfPocket',
  'company-bank': 'companyBank',
  'accounts-payable': 'accountsPayable',
  'fx-rounding': 'fxRounding',
  'realized-fx': 'realizedFx',
} as const;
const KEYED = { wallet: 'wallets', 'company-bank': 'companyBankByCurrency', fallback: 'fallbackAccounts' } as const;

const isOne = (check: string): check is keyof typeof ONE => check in ONE;

/** @returns the group of settings and the key in it, as `wallet-EUR` says */
function keyedOf(check: string) {
  const [, prefix = '', key = ''] = /^(wallet|company-bank|fallback)-(.+)$/.exec(check) ?? [];
  return { group: KEYED[prefix as keyof typeof KEYED], key };
}

/** @returns the checks that a form answers: those of the API, and those that were added to it */
export function checksOf(checked: readonly string[], entered: Readonly<Record<string, string>>): readonly string[] {
  return [...new Set([...checked, ...Object.keys(entered)])];
}

export function accountOf(accounts: Accounts, check: string): string {
  if (isOne(check)) {
    return accounts[ONE[check]] ?? '';
  }
  const { group, key } = keyedOf(check);
  return (accounts[group] as Readonly<Record<string, string>> | undefined)?.[key] ?? '';
}

/** @param code empty: none */
export function withAccount(accounts: Accounts, check: string, code: string): Accounts {
  if (isOne(check)) {
    const others = Object.entries(accounts).filter(([name]) => name !== ONE[check]);
    return { ...(Object.fromEntries(others) as Accounts), ...(code === '' ? {} : { [ONE[check]]: code }) };
  }
  const { group, key } = keyedOf(check);
  const before = Object.entries((accounts[group] ?? {}) as Readonly<Record<string, string>>);
  const others = before.filter(([name]) => name !== key);
  return { ...accounts, [group]: Object.fromEntries(code === '' ? others : [...others, [key, code]]) };
}

export function accountLabel(check: string): string {
  if (isOne(check)) {
    return t(`account.${ONE[check]}`);
  }
  const { group, key } = keyedOf(check);
  if (group === 'fallbackAccounts') {
    return t('account.fallback', { type: word('item-type', key) });
  }
  return t(group === 'wallets' ? 'account.wallet' : 'account.companyBankIn', { currency: key });
}
