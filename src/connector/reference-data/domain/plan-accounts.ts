// Chart of accounts, ERP → platform, matched by `externalId` and nothing else (P9.10). Never deletes.
import type { MasterAccount } from '../../bookkeeping/item/master-data.js';
import {
  compareText,
  keyProblem,
  MAX_TEXT_LENGTH,
  platformName,
  type PlannedChange,
  type SyncPlan,
  type SyncProblem,
} from './sync-plan.js';

export interface PlatformAccount {
  readonly id: string;
  readonly externalId: string;
  readonly name: string;
  readonly code: string | null;
  readonly archived: boolean;
  readonly taxCodeExternalId: string | null;
  /** Free storage of the program that wrote it; an update has to send it back. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

export type AccountContent = Omit<PlatformAccount, 'id' | 'externalId'>;

export type AccountStep = PlannedChange &
  (
    | { readonly action: 'create'; readonly content: AccountContent }
    | {
        readonly action: 'update' | 'archive' | 'unarchive';
        readonly id: string;
        readonly content: AccountContent;
      }
  );

/**
 * @param taxCodes codes of the platform's tax codes: it refuses an account with another one
 * @returns archives first, creates last
 */
export function planAccounts(
  erp: readonly MasterAccount[],
  platform: readonly PlatformAccount[],
  taxCodes: ReadonlySet<string>,
): SyncPlan<AccountStep> {
  const { wanted, problems } = wantedAccounts(erp);
  const known = new Map(platform.map((account) => [account.externalId, account]));
  const archives = platform
    .filter((account) => !account.archived && !wanted.has(account.externalId))
    .map((account): AccountStep => change('archive', account, archived(account, taxCodes)));
  const changes: AccountStep[] = [];
  const creates: AccountStep[] = [];
  for (const account of wanted.values()) {
    const found = known.get(account.externalId);
    const content = contentOf(account, found, taxCodes);
    if (typeof account.taxCode === 'string' && content.taxCodeExternalId === null) {
      problems.push(taxCodeProblem(account, account.taxCode));
    }
    if (found === undefined) {
      const { externalId: key } = account;
      creates.push({ subject: 'account', action: 'create', key, name: content.name, content });
    } else if (found.archived || isDifferent(found, content)) {
      changes.push(change(found.archived ? 'unarchive' : 'update', found, content));
    }
  }
  return { steps: [...archives, ...changes, ...creates], problems };
}

function wantedAccounts(erp: readonly MasterAccount[]): {
  readonly wanted: ReadonlyMap<string, MasterAccount>;
  readonly problems: SyncProblem[];
} {
  const wanted = new Map<string, MasterAccount>();
  const problems: SyncProblem[] = [];
  const refuse = ({ externalId, name }: MasterAccount, detail: string) =>
    problems.push({ subject: 'account', key: externalId, name, detail });
  const active = erp.filter((account) => account.active);
  for (const account of active.toSorted(
    (a, b) => compareText(a.externalId, b.externalId) || compareText(a.code, b.code),
  )) {
    const problem = keyProblem(account.externalId);
    if (problem !== undefined) {
      refuse(account, problem);
    } else if (account.code.length > MAX_TEXT_LENGTH) {
      refuse(account, `Its code is longer than the ${MAX_TEXT_LENGTH.toString()} characters the platform takes.`);
    } else if (wanted.has(account.externalId)) {
      refuse(account, 'Several active accounts of the accounting system have this id; only the first is synced.');
    } else {
      wanted.set(account.externalId, account);
    }
  }
  return { wanted, problems };
}

/** A field without a value in the ERP keeps the platform's value. */
function contentOf(
  account: MasterAccount,
  found: PlatformAccount | undefined,
  taxCodes: ReadonlySet<string>,
): AccountContent {
  const { code, name, taxCode = found?.taxCodeExternalId ?? null } = account;
  return {
    name: platformName(name, code),
    code: code === '' ? null : code,
    archived: false,
    // An update with a tax code that the platform does not know is refused as a whole.
    taxCodeExternalId: taxCode !== null && taxCodes.has(taxCode) ? taxCode : null,
    metadata: found?.metadata ?? null,
  };
}

function archived(account: PlatformAccount, taxCodes: ReadonlySet<string>): AccountContent {
  const { name, code, taxCodeExternalId: taxCode, metadata } = account;
  const taxCodeExternalId = taxCode !== null && taxCodes.has(taxCode) ? taxCode : null;
  return { name, code, archived: true, taxCodeExternalId, metadata };
}

function isDifferent(found: PlatformAccount, wanted: AccountContent): boolean {
  return (
    found.name !== wanted.name || found.code !== wanted.code || found.taxCodeExternalId !== wanted.taxCodeExternalId
  );
}

function change(
  action: 'update' | 'archive' | 'unarchive',
  { id, externalId }: PlatformAccount,
  content: AccountContent,
): AccountStep {
  return { subject: 'account', action, key: externalId, name: content.name, id, content };
}

function taxCodeProblem({ externalId, name }: MasterAccount, taxCode: string): SyncProblem {
  const detail = `Its tax code ${taxCode} is not on the platform, so it is synced without one: see whether the tax code is active in the accounting system.`;
  return { subject: 'account', key: externalId, name, detail };
}
