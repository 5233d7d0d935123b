import { message, type Message } from '../../../kernel/message.js';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { BookkeepingContext, ErpAccount } from '../item/bookkeeping-context.js';
import type { Findings } from '../item/findings.js';
import type { PostingAccount } from '../item/posting-plan.js';

// Names of the settings as the administrator sees them.
export const settingLabels = {
  outOfPocket: 'Out-of-pocket',
  companyBank: 'Company bank',
  accountsPayable: 'Accounts payable',
  fxRounding: 'FX rounding',
  realizedFx: 'Realized FX gain/loss',
  wallet: (currency: CurrencyCode) => `Wallet (${currency})`,
  companyBankIn: (currency: CurrencyCode) => `Company bank (${currency})`,
  fallback: (itemType: string) => `Fallback account (${itemType})`,
} as const;

/** A setting with its name in addresses and as the administrator sees it. */
export interface SettingCatalogEntry {
  readonly key: string;
  readonly name: string;
}

export const settingCatalog = {
  outOfPocket: { key: 'out-of-pocket', name: settingLabels.outOfPocket },
  companyBank: { key: 'company-bank', name: settingLabels.companyBank },
  accountsPayable: { key: 'accounts-payable', name: settingLabels.accountsPayable },
  fxRounding: { key: 'fx-rounding', name: settingLabels.fxRounding },
  realizedFx: { key: 'realized-fx', name: settingLabels.realizedFx },
  wallet: (currency: CurrencyCode) => ({ key: `wallet-${currency}`, name: settingLabels.wallet(currency) }),
  companyBankIn: (currency: CurrencyCode) => ({
    key: `company-bank-${currency}`,
    name: settingLabels.companyBankIn(currency),
  }),
  fallback: (itemType: string) => ({ key: `fallback-${itemType}`, name: settingLabels.fallback(itemType) }),
} as const;

/** Its name, as part of a message. */
export function settingMessage({ key }: SettingCatalogEntry): Message {
  const [, kind = key, of = ''] = /^(company-bank|fallback|wallet)-(.+)$/.exec(key) ?? [];
  return message('reason.named-setting', { setting: `${kind.replaceAll('-', '_')}${of === '' ? '' : '_of'}`, of });
}

/** @returns the active account with this external id, else with this code; undefined when there is none. */
export function activeAccount(reference: string, context: BookkeepingContext): ErpAccount | undefined {
  return context.accountsById.get(reference) ?? context.accountsByCode.get(reference);
}

/**
 * The account a setting names (B3.1).
 *
 * @param reference external id or code; undefined when the setting is empty.
 * @returns undefined after a finding: `missing_configuration` when empty, `invalid_configuration` when the ERP has no
 *   such active account.
 */
export function configuredAccount(
  entry: SettingCatalogEntry,
  reference: string | undefined,
  context: BookkeepingContext,
  findings: Findings,
): PostingAccount | undefined {
  const { key, name: setting } = entry;
  if (reference === undefined || reference === '') {
    findings.fail('missing_configuration', message('reason.setting-missing', { setting: settingMessage(entry) }), {
      kind: 'setting-missing',
      reference: key,
    });
    return undefined;
  }
  const account = activeAccount(reference, context);
  if (account === undefined) {
    const isAmbiguous = context.accountsByCode.isAmbiguous(reference);
    findings.fail(
      'invalid_configuration',
      message(isAmbiguous ? 'reason.setting-ambiguous' : 'reason.setting-invalid', {
        setting: settingMessage(entry),
        account: reference,
      }),
      { kind: 'setting-invalid', reference: key, name: reference },
    );
    return undefined;
  }
  return { id: account.externalId, code: account.code, decision: { by: 'setting', setting } };
}
