// A month by posting date: our record beside the ledger's own balances, and what is not in the books yet.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { toErpCompanyId, type ErpCompanyId, type InstallationId } from '../../../kernel/ids.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { BookkeepingSettings } from '../../bookkeeping/item/bookkeeping-context.js';
import type { MasterAccount } from '../../bookkeeping/item/master-data.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { AccountBalance } from '../../erp/erp-books.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import {
  changesSince,
  daysOfMonth,
  figuresOf,
  hasBegun,
  stateOf,
  type AccountFigures,
  type AccountRole,
  type LedgerSilence,
  type MonthAccount,
  type MonthEnd,
} from '../domain/month-end.js';
import type { OwnAccount } from './job-total.repository.js';
import { MAX_LISTED, MonthEndReader, type MonthEndCompany, type MonthView } from './month-end.reader.js';

/** What the ledger says; each undefined where it does not. */
interface LedgerSide {
  readonly balances: readonly AccountBalance[] | undefined;
  readonly chart: readonly MasterAccount[] | undefined;
  /** Why there are no balances. */
  readonly silence: 'not-offered' | 'unavailable';
}

const NOTHING: AccountFigures = { openingMinor: 0n, debitMinor: 0n, creditMinor: 0n };

@Injectable()
export class CompileMonthEnd {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly monthEndReader: MonthEndReader,
    private readonly mappingReader: MappingReader,
    private readonly erpConnections: ErpConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * Months with something in them, newest first.
   * @param company of the ERP; undefined: the linked one
   * @returns undefined for a company that nothing was posted to and that is not linked
   */
  async list(
    installationId: InstallationId,
    company?: string,
  ): Promise<{ readonly company: ErpCompanyId; readonly months: readonly MonthView[] } | undefined> {
    const found = await this.companyOf(installationId, company);
    return found && { company: found.id, months: await this.monthEndReader.list(installationId, found) };
  }

  /**
   * @param month `YYYY-MM`
   * @param company of the ERP; undefined: the linked one
   * @returns undefined for an invalid month, and for a company as with `list`
   */
  async compile(installationId: InstallationId, month: string, company?: string): Promise<MonthEnd | undefined> {
    const days = daysOfMonth(month);
    const installation = await this.installationReader.find(installationId);
    const found = days && (await this.companyOf(installationId, company));
    if (installation === undefined || days === undefined || found === undefined) {
      return undefined;
    }
    const now = this.clock.now();
    const ledger = await this.askLedger(installationId, found, days);
    const record = await this.monthEndReader.read(installationId, found, month, days, now);
    const settings = found.isLinked ? await this.mappingReader.latestSettings(installationId) : undefined;
    const accounts = accountsOf(record.accounts, ledger, controlAccounts(settings?.settings.accounts, ledger.chart));
    const { missing, discrepancies, signOff } = record;
    return {
      ...record,
      month,
      erpCompanyId: found.id,
      companyName: installation.companyName,
      madeAt: now,
      accounts,
      isLedgerAway: ledger.silence === 'unavailable',
      missing: missing.slice(0, MAX_LISTED),
      discrepancies: discrepancies.slice(0, MAX_LISTED),
      isTruncated: missing.length > MAX_LISTED || discrepancies.length > MAX_LISTED,
      hasBegun: hasBegun(month, now),
      state: stateOf(signOff),
      changed: signOff === undefined ? [] : changesSince(signOff.figures, figuresOf(accounts)),
    };
  }

  private async companyOf(installationId: InstallationId, named?: string): Promise<MonthEndCompany | undefined> {
    const linked = (await this.installationReader.find(installationId))?.erpCompanyId;
    if (linked !== undefined && (named === undefined || named === linked)) {
      return { id: linked, isLinked: true };
    }
    const posted = await this.monthEndReader.erpCompanies(installationId);
    const id = named === undefined ? posted.at(-1) : posted.find((each) => each === toErpCompanyId(named));
    return id && { id, isLinked: false };
  }

  private async askLedger(
    installationId: InstallationId,
    { id }: MonthEndCompany,
    days: { readonly from: LocalDate; readonly to: LocalDate },
  ): Promise<LedgerSide> {
    try {
      const erp = await this.erpConnections.open(installationId, id);
      const chart = await erp.accounts();
      return { chart, balances: await erp.accountBalances(days), silence: 'not-offered' };
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { chart: undefined, balances: undefined, silence: 'unavailable' };
      }
      throw error;
    }
  }
}

/** Accounts that should hold the same on both sides, by code, as the settings name them. */
function controlAccounts(
  settings: BookkeepingSettings | undefined,
  chart: readonly MasterAccount[] = [],
): ReadonlyMap<string, AccountRole> {
  const codeOf = (reference: string) => chart.find(({ externalId }) => externalId === reference)?.code ?? reference;
  const wallets = Object.values(settings?.wallets ?? {}).map((account) => [codeOf(account), 'wallet'] as const);
  const payables = [settings?.accountsPayable, settings?.outOfPocket].flatMap((account) =>
    account === undefined ? [] : [[codeOf(account), 'payables'] as const],
  );
  return new Map<string, AccountRole>([...payables, ...wallets]);
}

/** Those that we have posted to, and control accounts on which there is anything. */
function accountsOf(
  own: readonly OwnAccount[],
  { balances, chart, silence }: LedgerSide,
  control: ReadonlyMap<string, AccountRole>,
): readonly MonthAccount[] {
  const names = new Map(chart?.map(({ code, name }) => [code, name]));
  const erpBalances = new Map(balances?.map((row) => [keyOf(row), row]));
  const ledgerOf = (account: Pick<OwnAccount, 'accountCode' | 'currency'>): AccountFigures | LedgerSilence => {
    if (balances === undefined) return silence;
    const row = erpBalances.get(keyOf(account));
    if (row !== undefined) return figures(row);
    return names.has(account.accountCode) ? NOTHING : 'unknown-account';
  };
  const untouched = (balances ?? [])
    .filter((row) => control.has(row.accountCode) && own.every((account) => keyOf(account) !== keyOf(row)))
    .map((row) => ({ ...NOTHING, accountCode: row.accountCode, currency: row.currency, role: undefined }));
  return [...own, ...untouched]
    .map((account) => ({
      accountCode: account.accountCode,
      accountName: names.get(account.accountCode),
      currency: account.currency,
      role: account.role ?? control.get(account.accountCode),
      ours: figures(account),
      ledger: ledgerOf(account),
    }))
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

function figures({ openingMinor, debitMinor, creditMinor }: AccountFigures): AccountFigures {
  return { openingMinor, debitMinor, creditMinor };
}

const ROLES: Readonly<Record<AccountRole, string>> = { wallet: '1', payables: '2' };
const sortKey = ({ role, currency, accountCode }: MonthAccount) =>
  JSON.stringify([role === undefined ? '3' : ROLES[role], currency, accountCode]);
const keyOf = ({ accountCode, currency }: Pick<OwnAccount, 'accountCode' | 'currency'>) =>
  JSON.stringify([currency, accountCode]);
