// Pure: the accounts that exports need, as the settings name them and the ERP has them.
import type { BookkeepingSettings } from '../../bookkeeping/item/bookkeeping-context.js';
import { settingLabels } from '../../bookkeeping/accounts/settings-accounts.js';
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import type { ItemType } from './item-types.js';
import { SETTINGS_ROUTE, step, type SetupStep } from './setup-step.js';
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
  /** When it is needed; part of the sentence about an empty setting. */
  readonly need: string;
}

/** @param targets undefined while the ERP does not answer: then no account is looked up */
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
    need: 'items without a contra account of their own need it',
  }));
}

function otherChecks(accounts: BookkeepingSettings): readonly AccountCheck[] {
  return [
    {
      check: 'out-of-pocket',
      setting: settingLabels.outOfPocket,
      account: accounts.outOfPocket,
      itemTypes: [...EMPLOYEE_COSTS, 'direct_reimbursement', 'external_reimbursement', 'personal_spend'],
      need: 'what is owed to or by employees is booked there',
    },
    {
      check: 'company-bank',
      setting: settingLabels.companyBank,
      account: accounts.companyBank ?? Object.values(accounts.companyBankByCurrency)[0],
      itemTypes: ['external_reimbursement', 'wallet_topup', 'wallet_unload'],
      need: 'money from and to the bank is booked there',
    },
    {
      check: 'accounts-payable',
      setting: settingLabels.accountsPayable,
      account: accounts.accountsPayable,
      itemTypes: ['invoice', 'invoice_payment'],
      need: 'vendors without an account of their own are booked there',
    },
    {
      check: 'fx-rounding',
      setting: settingLabels.fxRounding,
      account: accounts.fxRounding,
      itemTypes: FX_TYPES,
      need: 'entries in foreign currency leave a cent there',
    },
    {
      check: 'realized-fx',
      setting: settingLabels.realizedFx,
      account: accounts.realizedFx,
      itemTypes: FX_TYPES,
      need: 'settling in foreign currency gains or loses there',
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
            need: '',
          },
        ];
  });
  const fallbacks = Object.entries(accounts.fallbackAccounts).map(([itemType, account]) => ({
    check: `fallback-${itemType}`,
    setting: settingLabels.fallback(itemType),
    account,
    itemTypes: [itemType as ItemType],
    need: '',
  }));
  return [...banks, ...fallbacks];
}

function accountStep(
  { check, setting, account, itemTypes, need }: AccountCheck,
  targets: Targets | undefined,
): SetupStep {
  const blocking = { blocks: 'item-types', itemTypes } as const;
  if (account === undefined || account === '') {
    return step(check, false, blocking, {
      done: '',
      open: `No account is set for "${setting}": ${need}.`,
      resolvedBy: SETTINGS_ROUTE,
    });
  }
  if (targets === undefined) {
    const detail = `"${setting}" names account ${account}; whether the accounting system has it can be told once that answers.`;
    return { check, state: 'not-known', detail, resolvedBy: undefined, ...blocking };
  }
  const problem = accountProblem(account, targets);
  return step(check, problem === undefined, blocking, {
    done: `"${setting}" is account ${account}.`,
    open: `"${setting}" names account ${account}. ${problem?.detail ?? ''}`,
    resolvedBy: SETTINGS_ROUTE,
  });
}
