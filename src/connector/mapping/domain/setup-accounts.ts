// Pure: the accounts that exports need, as the settings name them and the ERP has them.
import { message } from '../../../kernel/message.js';
import type { BookkeepingSettings } from '../../bookkeeping/item/bookkeeping-context.js';
import { activeAccount, settingLabels, settingMessage } from '../../bookkeeping/accounts/settings-accounts.js';
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import type { ItemType } from './item-types.js';
import { proposeAccount } from './account-proposals.js';
import { SETTINGS_ROUTE, type SetupStep } from './setup-step.js';
import { accountProblem, type Targets } from './targets.js';

const EMPLOYEE_COSTS = ['out_of_pocket', 'mileage', 'per_diem'] as const;
const WALLET_TYPES = [
  'card_purchase',
  'card_invoice',
  'atm_withdrawal',
  'fee',
  'refund',
  'chargeback',
  'cashback',
  'direct_reimbursement',
  'personal_spend',
  'invoice_payment',
  'wallet_topup',
  'wallet_unload',
] as const;
const FX_TYPES = ['card_purchase', 'refund', 'fee', 'invoice', 'invoice_payment'] as const;

/** A setting with what cannot be exported without it (B3.1). */
interface AccountCheck {
  readonly check: string;
  readonly setting: string;
  readonly account: string | undefined;
  readonly itemTypes: readonly ItemType[];
}

/** @param targets undefined while the ERP does not respond: then no account is looked up */
export function accountSteps(accounts: BookkeepingSettings, targets: Targets | undefined): readonly SetupStep[] {
  return [...walletChecks(accounts, targets), ...otherChecks(accounts), ...optionalChecks(accounts)].map((check) =>
    accountStep(check, targets),
  );
}

function walletChecks({ wallets }: BookkeepingSettings, targets: Targets | undefined): readonly AccountCheck[] {
  const named = Object.keys(wallets).flatMap((code) => parseCurrency(code) ?? []);
  const currencies = new Set<CurrencyCode>([...(targets ? [targets.masterData.functionalCurrency] : []), ...named]);
  return [...currencies].map((currency) => ({
    check: `wallet-${currency}`,
    setting: settingLabels.wallet(currency),
    account: wallets[currency],
    itemTypes: WALLET_TYPES,
  }));
}

function otherChecks(accounts: BookkeepingSettings): readonly AccountCheck[] {
  return [
    {
      check: 'out-of-pocket',
      setting: settingLabels.outOfPocket,
      account: accounts.outOfPocket,
      itemTypes: [...EMPLOYEE_COSTS, 'direct_reimbursement', 'external_reimbursement', 'personal_spend'],
    },
    {
      check: 'company-bank',
      setting: settingLabels.companyBank,
      account: accounts.companyBank ?? Object.values(accounts.companyBankByCurrency)[0],
      itemTypes: ['external_reimbursement', 'wallet_topup', 'wallet_unload'],
    },
    {
      check: 'accounts-payable',
      setting: settingLabels.accountsPayable,
      account: accounts.accountsPayable,
      itemTypes: ['invoice', 'invoice_payment'],
    },
    {
      check: 'fx-rounding',
      setting: settingLabels.fxRounding,
      account: accounts.fxRounding,
      itemTypes: FX_TYPES,
    },
    {
      check: 'realized-fx',
      setting: settingLabels.realizedFx,
      account: accounts.realizedFx,
      itemTypes: FX_TYPES,
    },
  ];
}

/** What may be left empty, but not be wrong. */
function optionalChecks(accounts: BookkeepingSettings): readonly AccountCheck[] {
  const banks = Object.entries(accounts.companyBankByCurrency).flatMap(([code, account]) => {
    const currency = parseCurrency(code);
    return currency === undefined
      ? []
      : [
          {
            check: `company-bank-${currency}`,
            setting: settingLabels.companyBankIn(currency),
            account,
            itemTypes: ['external_reimbursement', 'wallet_topup', 'wallet_unload'] as const,
          },
        ];
  });
  const fallbacks = Object.entries(accounts.fallbackAccounts).map(([itemType, account]) => ({
    check: `fallback-${itemType}`,
    setting: settingLabels.fallback(itemType),
    account,
    itemTypes: [itemType as ItemType],
  }));
  return [...banks, ...fallbacks];
}

function accountStep(of: AccountCheck, targets: Targets | undefined): SetupStep {
  const { check, account, itemTypes } = of;
  // A name that each reader reads in their language.
  const setting = settingMessage({ key: check, name: of.setting });
  const blocking = { blocks: 'item-types', itemTypes } as const;
  if (account === undefined || account === '') {
    const kind = check.startsWith('wallet-') ? 'wallet' : check;
    const missing = message(`setup.account.empty.${kind}`, { setting });
    return withProposal({ check, state: 'open', detail: missing, resolvedBy: SETTINGS_ROUTE, ...blocking }, targets);
  }
  if (targets === undefined) {
    const detail = message('setup.account.not-known', { setting, account });
    return { check, state: 'not-known', detail, resolvedBy: undefined, ...blocking };
  }
  const problem = accountProblem(account, targets)?.code ?? typeProblem(check, account, targets);
  const { name = account, type = '' } = findAccount(account, targets) ?? {};
  const detail = message(`setup.account.${problem ?? 'done'}`, { setting, account, name, type });
  if (problem === undefined) {
    return { check, state: 'done', detail, resolvedBy: undefined, ...blocking };
  }
  // What is named and cannot be posted to fails the first export; only a fallback may never be needed.
  const blocked = check.startsWith('fallback-') ? blocking : ({ blocks: 'everything' } as const);
  return withProposal({ check, state: 'open', detail, resolvedBy: SETTINGS_ROUTE, ...blocked }, targets);
}

/** As the chart has it, active or not. */
function findAccount(reference: string, { masterData }: Targets) {
  return masterData.accounts.find(({ externalId, code }) => externalId === reference || code === reference);
}

/** Balance-sheet accounts are no place for gains and losses, nor the other way round. Equity is left to the bookkeeper. */
function typeProblem(check: string, reference: string, { context }: Targets): string | undefined {
  const { type } = activeAccount(reference, context) ?? {};
  const isProfitOrLoss = type === 'income' || type === 'expense';
  const wantsProfitOrLoss = check === 'fx-rounding' || check === 'realized-fx';
  if (
    type === undefined ||
    type === 'equity' ||
    check.startsWith('fallback-') ||
    isProfitOrLoss === wantsProfitOrLoss
  ) {
    return undefined;
  }
  return wantsProfitOrLoss ? 'wants-profit-or-loss' : 'wants-balance-sheet';
}

function withProposal(found: SetupStep, targets: Targets | undefined): SetupStep {
  return found.state !== 'open' || targets === undefined
    ? found
    : { ...found, account: proposeAccount(found.check, targets.masterData.accounts) };
}
