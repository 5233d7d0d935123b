// Pure: which accounts of the chart may be meant by a setting that is still open.
import type { BookkeepingSettings, ErpAccount } from '../../bookkeeping/item/bookkeeping-context.js';
import { settingCatalog } from '../../bookkeeping/accounts/settings-accounts.js';
import { message, type Message } from '../../../kernel/message.js';

export type AccountCandidate = Pick<ErpAccount, 'externalId' | 'code' | 'name'>;

export interface AccountProposal {
  /** Where `PUT /api/v1/settings` takes it, as a JSON pointer. */
  readonly field: string;
  /** Those whose name fits first, at most ten. */
  readonly candidates: readonly AccountCandidate[];
  /** The one whose name fits; undefined where none does, or several do. */
  readonly proposal: AccountCandidate | undefined;
  readonly why: Message;
}

const MAX_CANDIDATES = 10;

/** What such accounts are called, in English, German and the Nordic languages. */
const NAMES: readonly (readonly [setting: RegExp, name: RegExp])[] = [
  [/^wallet-/, /wallet|prepaid|card account|pleo|firmenkarte|kreditkarte|kort/i],
  [/^out-of-pocket$/, /out[- ]of[- ]pocket|employee|mitarbeiter|auslagen|udlæg|utlägg|medarbejder/i],
  [/^company-bank/, /\bbank/i],
  [/^accounts-payable$/, /payable|creditors|verbindlichkeiten|kreditor|leverandør|leverantör/i],
  [/^fx-rounding$/, /rounding|rundung|afrunding|avrunding|öresutjämning/i],
  [/^realized-fx$/, /exchange (?:gain|loss|diff)|currency (?:gain|loss)|kursdiff|kursgewinn|kursverlust|valutakurs/i],
];

const FIELDS = new Map<string, keyof BookkeepingSettings>([
  [settingCatalog.outOfPocket.key, 'outOfPocket'],
  [settingCatalog.companyBank.key, 'companyBank'],
  [settingCatalog.accountsPayable.key, 'accountsPayable'],
  [settingCatalog.fxRounding.key, 'fxRounding'],
  [settingCatalog.realizedFx.key, 'realizedFx'],
]);
const KEYED = [
  [/^wallet-(.+)$/, 'wallets'],
  [/^company-bank-(.+)$/, 'companyBankByCurrency'],
  [/^fallback-(.+)$/, 'fallbackAccounts'],
] as const;

/** What money is kept in or owed on is no account of income or expense, such as that of the bank's fees. */
const OF_THE_BALANCE_SHEET = /^(?:wallet-|company-bank|out-of-pocket$|accounts-payable$)/;

/** @param setting its key, as the steps of the set-up name it */
export function proposeAccount(setting: string, accounts: readonly ErpAccount[]): AccountProposal {
  const name = NAMES.find(([of]) => of.test(setting))?.[1];
  const active = accounts
    .filter((account) => account.active && !(OF_THE_BALANCE_SHEET.test(setting) && isOfTheResult(account)))
    .map(({ externalId, code, name: called }) => ({ externalId, code, name: called }));
  const fitting = active.filter((account) => name?.test(account.name) === true);
  const [only] = fitting;
  const proposal = fitting.length === 1 ? only : undefined;
  const why = proposal
    ? message('setup.account.named', { code: proposal.code, name: proposal.name })
    : message(fitting.length === 0 ? 'setup.account.none' : 'setup.account.several', { count: fitting.length });
  const candidates = (fitting.length === 0 ? active : fitting).slice(0, MAX_CANDIDATES);
  return { field: fieldOf(setting), candidates, proposal, why };
}

function isOfTheResult({ type }: ErpAccount): boolean {
  return type === 'income' || type === 'expense';
}

function fieldOf(setting: string): string {
  for (const [pattern, field] of KEYED) {
    const [, key] = pattern.exec(setting) ?? [];
    if (key !== undefined) return `/accounts/${field}/${key}`;
  }
  return `/accounts/${FIELDS.get(setting) ?? setting}`;
}
