import { figure, money, sheet, text } from '../../http/sheet.js';
import type { AccountBalanceDto, AccountLedgerDto, LedgerLineDto } from './account-ledger.dto.js';

interface Row {
  readonly kind: 'brought-forward' | 'line' | 'closing';
  readonly currency: string;
  readonly balanceMinor: string;
  readonly baseBalanceMinor: string;
  readonly line?: LedgerLineDto;
}

const currency = (row: Row) => row.currency;
const functionalCurrency = (_: Row, ledger: AccountLedgerDto) => ledger.functionalCurrency;

/** The lines of a page between what was brought forward and, on the last page, what the account closes with. */
export const accountLedgerSheet = sheet<AccountLedgerDto, Row>({
  fileName: ({ accountCode }) => `account-ledger-${accountCode.replaceAll(/[^0-9A-Za-z-]+/g, '-')}`,
  rows: (ledger) => [
    ...balanceRows('brought-forward', ledger.broughtForward),
    ...ledger.data.map((line) => ({
      kind: 'line' as const,
      currency: line.currency,
      balanceMinor: line.balanceMinor,
      baseBalanceMinor: line.baseBalanceMinor,
      line,
    })),
    ...(ledger.nextCursor === null ? balanceRows('closing', ledger.closing) : []),
  ],
  columns: [
    text('kind', (row) => row.kind),
    text('postingDate', (row) => row.line?.postingDate),
    text('number', (row) => row.line?.number),
    figure('lineNo', (row) => row.line?.lineNo),
    text('state', (row) => row.line?.state),
    text('role', (row) => row.line?.role),
    text('documentDate', (row) => row.line?.documentDate),
    text('documentNumber', (row) => row.line?.documentNumber),
    text('description', (row) => row.line?.description),
    text('counterAccounts', (row) => row.line?.counterAccounts.join(' ')),
    text('vendorNumber', (row) => row.line?.vendorNumber),
    text('vendorName', (row) => row.line?.vendorName),
    text('employee', (row) => row.line?.employee),
    text('currency', currency),
    ...money('amount', (row: Row) => row.line?.amountMinor ?? null, currency),
    ...money('balance', (row: Row) => row.balanceMinor, currency),
    text('functionalCurrency', functionalCurrency),
    ...money('base', (row: Row) => row.line?.baseMinor ?? null, functionalCurrency),
    ...money('baseBalance', (row: Row) => row.baseBalanceMinor, functionalCurrency),
    text('entryId', (row) => row.line?.entryId),
  ],
});

/** One row per currency; the base of each is that of the whole account, as on the lines. */
function balanceRows(
  kind: 'brought-forward' | 'closing',
  { currencies, baseBalanceMinor }: AccountBalanceDto,
): readonly Row[] {
  return currencies.map(({ currency, balanceMinor }) => ({
    kind,
    currency,
    balanceMinor,
    baseBalanceMinor,
  }));
}
