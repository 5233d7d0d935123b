import { Injectable } from '@nestjs/common';
import { Database } from '../../../../foundation/database/database.js';
import { isUuid } from '../../../../kernel/ids.js';
import { parseLocalDate } from '../../../../kernel/local-date.js';
import { startOfPage, toPage } from '../../http/page.js';
import { entryNumber, entryUrl } from '../../journal/domain/posting-outcome.js';
import { inSnapshot } from '../../companies/in-snapshot.js';
import type {
  VatAmountsDto,
  VatControlDto,
  VatLineDto,
  VatLinePage,
  VatLinesQuery,
  VatReportDto,
  VatReportQuery,
} from './vat-report.dto.js';
import { VatReportRepository, type VatLineRow } from './vat-report.repository.js';

/** The VAT report of a period, held against the tax accounts, and the lines behind each of its numbers. */
@Injectable()
export class ShowVatReport {
  constructor(
    private readonly database: Database,
    private readonly vatReportRepository: VatReportRepository,
  ) {}

  async showVatReport(companyId: string, { from, to, state }: VatReportQuery): Promise<VatReportDto> {
    const scope = { from, to, state };
    const query = new URLSearchParams(scope).toString();
    const path = `/companies/${companyId}`;
    return inSnapshot(this.database, 'vat-report', async (tx) => {
      const codes = await this.vatReportRepository.codes(tx, companyId, scope);
      const accounts = await this.vatReportRepository.accounts(tx, companyId, scope);
      return {
        ...scope,
        functionalCurrency: await this.vatReportRepository.functionalCurrency(tx, companyId),
        codes: codes.map((code) => ({
          ...code,
          linesUrl: `${path}/vat-report/lines?${query}&${new URLSearchParams(code.taxCode === null ? { withoutCode: 'true' } : { taxCode: code.taxCode }).toString()}`,
        })),
        total: sums(codes, AMOUNTS),
        accounts: accounts.map((account) => ({
          ...account,
          ledgerUrl: `${path}/accounts/${encodeURIComponent(account.accountCode)}/ledger?${query}`,
        })),
        control: sums(accounts, CONTROL),
      };
    });
  }

  /** @throws Problem 400 for a cursor of another list */
  async showVatLines(companyId: string, query: VatLinesQuery): Promise<VatLinePage> {
    const start = startOfPage(query, 3, isPosition);
    return inSnapshot(this.database, 'vat-lines', async (tx) => {
      const rows = await this.vatReportRepository.lines(tx, companyId, query, start);
      const { data, nextCursor } = toPage(query, rows, (row) => [row.postingDate, row.entryId, row.lineNo.toString()]);
      return {
        functionalCurrency: await this.vatReportRepository.functionalCurrency(tx, companyId),
        data: data.map((row) => lineDto(companyId, row)),
        nextCursor,
      };
    });
  }
}

const AMOUNTS = [
  'baseMinor',
  'taxMinor',
  'deductibleMinor',
  'nonDeductibleMinor',
  'reverseChargeBaseMinor',
  'reverseChargeInputMinor',
  'outputBaseMinor',
  'outputMinor',
] as const satisfies readonly (keyof VatAmountsDto)[];
const CONTROL = [
  'movementMinor',
  'reportedMinor',
  'differenceMinor',
] as const satisfies readonly (keyof VatControlDto)[];

/** @returns the sum of each of these amounts over all rows */
function sums<Name extends string>(
  rows: readonly Readonly<Record<Name, string>>[],
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const totals = names.map((name) => [name, rows.reduce((sum, row) => sum + BigInt(row[name]), 0n).toString()]);
  return Object.fromEntries(totals) as Record<Name, string>;
}

function lineDto(companyId: string, { fiscalYear, sequence, ...line }: VatLineRow): VatLineDto {
  return {
    ...line,
    number: sequence === null ? null : entryNumber(fiscalYear, sequence),
    entryUrl: entryUrl(companyId, line.entryId),
  };
}

const IS_PART: readonly ((text: string) => boolean)[] = [
  (text) => parseLocalDate(text) !== undefined,
  isUuid,
  (text) => /^\d{1,9}$/.test(text),
];

function isPosition(text: string, column: number): boolean {
  return IS_PART[column]?.(text) === true;
}
