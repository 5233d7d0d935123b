import { message } from '../../../kernel/message.js';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { BookkeepingContext, ErpVendor } from '../item/bookkeeping-context.js';
import type { Leg } from '../entries/entry-forms.js';
import { employeeOf, textOf, type ExportItem } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import type { PlannedLine, PostingAccount, PostingVendor } from '../item/posting-plan.js';
import { accountKey, accountOnItem, describeAccount } from './line-accounts.js';
import { activeAccount, configuredAccount, settingCatalog, settingMessage } from './settings-accounts.js';

/** A leg that is one line over the total. */
type CounterLeg = Exclude<Leg, 'lines'>;

/** Everything of a counter line but its amount. */
type CounterSide = Pick<PlannedLine, 'account' | 'vendor' | 'employee'>;

/**
 * The account of a counter leg with the vendor or employee it is owed to (B3.2).
 *
 * @param currency the item's wallet currency; undefined when it is unknown, then its setting is not looked up.
 * @param vendor whose payables; the general account without one.
 * @returns undefined after a finding.
 */
export function resolveCounter(
  leg: CounterLeg,
  item: ExportItem,
  currency: CurrencyCode | undefined,
  vendor: ErpVendor | undefined,
  context: BookkeepingContext,
  findings: Findings,
): CounterSide | undefined {
  switch (leg) {
    case 'wallet':
      return sideOf(walletAccount(item, currency, context, findings));
    case 'company-bank':
      return sideOf(companyBankAccount(currency, context, findings));
    case 'out-of-pocket':
      return outOfPocketSide(item, context, findings);
    case 'payables':
      return payablesSide(vendor, context, findings);
  }
}

export function postingVendor(vendor: ErpVendor): PostingVendor {
  return { id: vendor.id, code: vendor.code };
}

function sideOf(account: PostingAccount | undefined): CounterSide | undefined {
  return account && { account };
}

function walletAccount(
  { contraAccount }: ExportItem,
  currency: CurrencyCode | undefined,
  context: BookkeepingContext,
  findings: Findings,
): PostingAccount | undefined {
  if (contraAccount && (textOf(contraAccount.identifier) ?? textOf(contraAccount.code)) !== undefined) {
    const found = accountOnItem(contraAccount, context);
    if (found !== undefined) return { ...found, decision: { by: 'contra-account' } };
    findings.fail('account_unknown', message('reason.contra-account', { account: describeAccount(contraAccount) }), {
      kind: 'contra-account',
      reference: accountKey(contraAccount),
    });
    return undefined;
  }
  if (currency === undefined) return undefined;
  return configuredAccount(settingCatalog.wallet(currency), context.settings.wallets[currency], context, findings);
}

function companyBankAccount(
  currency: CurrencyCode | undefined,
  context: BookkeepingContext,
  findings: Findings,
): PostingAccount | undefined {
  const { companyBank, companyBankByCurrency } = context.settings;
  const special = currency && companyBankByCurrency[currency];
  return currency !== undefined && special !== undefined
    ? configuredAccount(settingCatalog.companyBankIn(currency), special, context, findings)
    : configuredAccount(settingCatalog.companyBank, companyBank, context, findings);
}

function outOfPocketSide(item: ExportItem, context: BookkeepingContext, findings: Findings): CounterSide | undefined {
  const account = configuredAccount(settingCatalog.outOfPocket, context.settings.outOfPocket, context, findings);
  const employee = employeeOf(item);
  if (employee === undefined) {
    findings.warn(
      'employee-missing',
      message('warning.employee-missing', { setting: settingMessage(settingCatalog.outOfPocket) }),
    );
  }
  return account && { account, ...(employee !== undefined && { employee }) };
}

function payablesSide(
  vendor: ErpVendor | undefined,
  context: BookkeepingContext,
  findings: Findings,
): CounterSide | undefined {
  const own = textOf(vendor?.payablesAccount);
  if (vendor === undefined || own === undefined) {
    const account = configuredAccount(
      settingCatalog.accountsPayable,
      context.settings.accountsPayable,
      context,
      findings,
    );
    return account && { account, ...(vendor && { vendor: postingVendor(vendor) }) };
  }
  const account = activeAccount(own, context);
  if (account === undefined) {
    findings.fail(
      'invalid_configuration',
      message('reason.vendor-account', { code: vendor.code, name: vendor.name, account: own }),
      { kind: 'vendor-account', reference: vendor.code, name: vendor.name },
    );
    return undefined;
  }
  const decided = { id: account.externalId, code: account.code, decision: { by: 'vendor' as const } };
  return { account: decided, vendor: postingVendor(vendor) };
}
