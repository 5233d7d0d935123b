import { Injectable } from '@nestjs/common';
import { Database } from '../../../../foundation/database/database.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { Problem } from '../../../../foundation/http/problem.js';
import { parseLocalDate } from '../../../../kernel/local-date.js';
import { isUuid } from '../../../../kernel/ids.js';
import { startOfPage, toPage, type PageStart } from '../../http/page.js';
import { entryNumber } from '../../journal/domain/posting-outcome.js';
import type { AccountBalanceDto, AccountLedgerDto, AccountLedgerQuery, LedgerLineDto } from './account-ledger.dto.js';
import {
  AccountLedgerRepository,
  DRAFT_SEQUENCE,
  type LedgerLine,
  type LedgerPosition,
  type LedgerScope,
} from './account-ledger.repository.js';
import { addBalances, baseBalance, withRunningBalance, type CurrencyBalance } from '../domain/running-balance.js';
import { inSnapshot } from '../../companies/in-snapshot.js';

type BalancedLine = LedgerLine & { readonly balanceMinor: bigint; readonly baseBalanceMinor: bigint };

/**
 * One page of the general ledger of an account. The cursor names the first line of the page. The balance at that line is
 * computed for each page, so that no page shows a balance the books do not have.
 */
@Injectable()
export class ShowAccountLedger {
  constructor(
    private readonly database: Database,
    private readonly accountLedgerRepository: AccountLedgerRepository,
  ) {}

  /**
   * @param accountCode any text
   * @throws Problem 404 for an unknown account, 400 for a cursor of another list
   */
  async showAccountLedger(
    companyId: string,
    accountCode: string,
    query: AccountLedgerQuery,
  ): Promise<AccountLedgerDto> {
    const start = startOfPage(query, 4, isPosition);
    const { from = '-infinity', to = 'infinity', state } = query;
    const scope = { companyId, accountCode, state, from, to };
    return inSnapshot(this.database, 'account-ledger', async (tx) => {
      const account = accountCode.includes('\0')
        ? undefined
        : await this.accountLedgerRepository.account(tx, companyId, accountCode);
      if (account === undefined) {
        const detail = `The company has no account ${accountCode}.`;
        throw new Problem({ status: 404, type: 'account-not-found', detail });
      }
      const opening = await this.accountLedgerRepository.balance(tx, scope, { day: from, included: false });
      const closing = await this.accountLedgerRepository.balance(tx, scope, { day: to, included: true });
      const after = positionOf(start);
      const broughtForward = after === undefined ? opening : await this.balanceAt(tx, scope, after);
      const lines = await this.accountLedgerRepository.lines(tx, scope, after, start.rows);
      const page = toPage(query, withRunningBalance(broughtForward, lines), cursorOf);
      return {
        ...account,
        from: query.from ?? null,
        to: query.to ?? null,
        state,
        opening: balanceDto(opening),
        broughtForward: balanceDto(broughtForward),
        closing: balanceDto(closing),
        data: page.data.map(lineDto),
        nextCursor: page.nextCursor,
      };
    });
  }

  private async balanceAt(tx: Tx, scope: LedgerScope, position: LedgerPosition): Promise<readonly CurrencyBalance[]> {
    const daysBefore = await this.accountLedgerRepository.balance(tx, scope, {
      day: position.postingDate,
      included: false,
    });
    return addBalances(daysBefore, await this.accountLedgerRepository.movementOfDay(tx, scope, position));
  }
}

const IS_PART: readonly ((text: string) => boolean)[] = [
  (text) => parseLocalDate(text) !== undefined,
  (text) => /^\d{1,19}$/.test(text) && BigInt(text) <= DRAFT_SEQUENCE,
  isUuid,
  (text) => /^\d{1,9}$/.test(text),
];

function isPosition(text: string, column: number): boolean {
  return IS_PART[column]?.(text) === true;
}

function cursorOf(line: LedgerLine): readonly string[] {
  return [line.postingDate, (line.sequence ?? DRAFT_SEQUENCE).toString(), line.entryId, line.lineNo.toString()];
}

function positionOf({ after }: PageStart): LedgerPosition | undefined {
  const [postingDate = '', sequence = '', entryId = '', lineNo = ''] = after;
  return postingDate === '' ? undefined : { postingDate, sequence, entryId, lineNo };
}

function balanceDto(balances: readonly CurrencyBalance[]): AccountBalanceDto {
  return {
    currencies: balances.map(({ currency, balanceMinor, baseBalanceMinor }) => ({
      currency,
      balanceMinor: balanceMinor.toString(),
      baseBalanceMinor: baseBalanceMinor.toString(),
    })),
    baseBalanceMinor: baseBalance(balances).toString(),
  };
}

function lineDto({ fiscalYear, sequence, ...line }: BalancedLine): LedgerLineDto {
  return {
    ...line,
    number: sequence === null ? null : entryNumber(fiscalYear, sequence),
    amountMinor: line.amountMinor.toString(),
    baseMinor: line.baseMinor.toString(),
    balanceMinor: line.balanceMinor.toString(),
    baseBalanceMinor: line.baseBalanceMinor.toString(),
  };
}
