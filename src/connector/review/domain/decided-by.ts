// Pure: what decided a written plan, read from the decisions that its lines carry.
import { settingCatalog, settingLabels } from '../../bookkeeping/accounts/settings-accounts.js';
import { parseCurrency } from '../../../kernel/currency.js';

export interface DecidedBy {
  readonly ruleIds: ReadonlySet<string>;
  /** Names of settings, as the administrator sees them. */
  readonly settings: ReadonlySet<string>;
  readonly usesFallback: boolean;
}

/** @param plan planned entries as they are stored, of whatever age: decisions are looked for wherever they stand */
export function decidedBy(plan: readonly unknown[]): DecidedBy {
  const ruleIds = new Set<string>();
  const settings = new Set<string>();
  let usesFallback = false;
  for (const decision of decisionsIn(plan)) {
    if (typeof decision['ruleId'] === 'string') ruleIds.add(decision['ruleId']);
    if (typeof decision['setting'] === 'string') settings.add(decision['setting']);
    if (decision['by'] === 'fallback') usesFallback = true;
  }
  return { ruleIds, settings, usesFallback };
}

/** @param pointer of a setting that changed; a policy may touch every entry */
export function touches({ settings, usesFallback }: DecidedBy, pointer: string): boolean {
  const [, part, field, key = ''] = pointer.split('/');
  if (part === 'policies') return field !== 'unknownVendor' && field !== 'receipts';
  const currency = parseCurrency(key);
  switch (field) {
    case 'wallets':
      return currency !== undefined && settings.has(settingLabels.wallet(currency));
    case 'companyBankByCurrency':
      return currency !== undefined && settings.has(settingLabels.companyBankIn(currency));
    case 'fallbackAccounts':
      return usesFallback;
    case 'outOfPocket':
    case 'companyBank':
    case 'accountsPayable':
    case 'fxRounding':
    case 'realizedFx':
      return settings.has(settingCatalog[field].name);
    default:
      return false;
  }
}

function* decisionsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'decision' && typeof member === 'object' && member !== null) {
      yield member as Readonly<Record<string, unknown>>;
    } else {
      yield* decisionsIn(member);
    }
  }
}
