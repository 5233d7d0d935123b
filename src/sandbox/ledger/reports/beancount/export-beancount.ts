import { Injectable } from '@nestjs/common';
import { Database } from '../../../../foundation/database/database.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { Bug } from '../../../../kernel/faults.js';
import { addDays, parseLocalDate } from '../../../../kernel/local-date.js';
import { BeancountRepository, type BookAccount, type BookCompany } from './beancount.repository.js';
import { beancountAccount } from '../domain/beancount-account.js';
import { expectedBalances } from '../domain/beancount-balances.js';
import { entryText, headText, type ExportedAmounts, type ExportHead } from '../domain/beancount-text.js';
import { inSnapshot } from '../../companies/in-snapshot.js';

/** Entries per transaction. */
const PAGE_SIZE = 200n;
/** The day of an empty book. */
const EMPTY_BOOK_DAY = '1970-01-01';

interface Book {
  readonly company: BookCompany;
  readonly head: ExportHead;
  readonly accountOf: (code: string) => string;
}

/**
 * Writes all posted entries of a company as text. The asserted balances are read from the turnover, in one snapshot with
 * the last position of the audit chain. The entries up to that position never change, so each page is read in a
 * transaction of its own, however slowly the client reads.
 */
@Injectable()
export class ExportBeancount {
  constructor(
    private readonly database: Database,
    private readonly beancountRepository: BeancountRepository,
  ) {}

  /** @returns the text in pieces */
  async exportBook(companyId: string, amounts: ExportedAmounts): Promise<AsyncIterable<string>> {
    const book = await inSnapshot(this.database, 'beancount.head', (tx) => this.load(tx, companyId, amounts));
    return this.chunks(companyId, book, amounts);
  }

  private async load(tx: Tx, companyId: string, amounts: ExportedAmounts): Promise<Book> {
    const company = await this.beancountRepository.company(tx, companyId);
    const accounts = await this.beancountRepository.accounts(tx, companyId);
    const sums = await this.beancountRepository.sums(tx, companyId);
    const baseOnly = await this.beancountRepository.baseOnlySums(tx, companyId);
    const { functionalCurrency, firstDay, lastDay } = company;
    const accountOf = nameAccounts(accounts);
    const used = amounts === 'functional' ? [] : sums.map(({ currency }) => currency);
    return {
      company,
      accountOf,
      head: {
        title: company.name,
        functionalCurrency,
        currencies: [...new Set([functionalCurrency, ...used])].toSorted(),
        accounts: accounts.map(({ code, name }) => ({ account: accountOf(code), name })),
        balances: expectedBalances(
          sums.map(({ code, ...sum }) => ({ ...sum, account: accountOf(code) })),
          baseOnly.map(({ code, baseMinor }) => ({ account: accountOf(code), baseMinor })),
          functionalCurrency,
          amounts,
        ),
        opensOn: firstDay ?? EMPTY_BOOK_DAY,
        balancesOn: dayAfter(lastDay ?? EMPTY_BOOK_DAY),
      },
    };
  }

  private async *chunks(companyId: string, book: Book, amounts: ExportedAmounts): AsyncGenerator<string> {
    const { company, head, accountOf } = book;
    yield headText(head);
    for (let after = 0n; after < company.lastPosition; after += PAGE_SIZE) {
      const last = after + PAGE_SIZE < company.lastPosition ? after + PAGE_SIZE : company.lastPosition;
      const entries = await this.database.inTransaction('beancount.entries', (tx) =>
        this.beancountRepository.entries(tx, companyId, after, last),
      );
      yield entries
        .map(({ lines, ...entry }) => ({
          ...entry,
          lines: lines.map(({ code, ...line }) => ({ ...line, account: accountOf(code) })),
        }))
        .map((entry) => entryText(entry, company.functionalCurrency, amounts))
        .join('');
    }
  }
}

function nameAccounts(accounts: readonly BookAccount[]): (code: string) => string {
  const names = new Map(accounts.map(({ type, code }) => [code, beancountAccount(type, code)]));
  return (code) => {
    const name = names.get(code);
    if (name === undefined) {
      throw new Bug(`a line is on account ${code}, which is not in the chart`);
    }
    return name;
  };
}

function dayAfter(day: string): string {
  const date = parseLocalDate(day);
  if (date === undefined) {
    throw new Bug(`the database gave ${day} as a day`);
  }
  return addDays(date, 1);
}
