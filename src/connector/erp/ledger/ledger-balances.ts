// Reads balances by account and currency out of the ledger's trial balances.
import { z } from 'zod';
import { parseCurrency } from '../../../kernel/currency.js';
import { addDays, type LocalDate } from '../../../kernel/local-date.js';
import type { ErpCall } from '../erp-call.js';
import type { AccountBalance } from '../erp-books.js';
import { ErpUnavailable } from '../erp-ledger.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { companyPath } from './ledger-http.js';

const minor = z
  .string()
  .regex(/^-?\d{1,30}$/)
  .transform(BigInt);
const trialBalanceSchema = z.object({
  rows: z.array(z.object({ accountCode: z.string(), currency: z.string(), debitMinor: minor, creditMinor: minor })),
});

type TrialBalanceRow = z.output<typeof trialBalanceSchema>['rows'][number];

/** @throws ErpUnavailable */
export async function ledgerBalances(
  http: ErpHttp,
  call: ErpCall,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<readonly AccountBalance[]> {
  const before = new Map((await trialBalance(http, call, addDays(from, -1))).map((row) => [keyOf(row), row]));
  const rows = await trialBalance(http, call, to);
  return rows.map((row) => {
    const { debitMinor = 0n, creditMinor = 0n } = before.get(keyOf(row)) ?? {};
    const currency = parseCurrency(row.currency);
    if (currency === undefined) {
      throw unusable(`the ledger has a balance in ${row.currency}, which is no known currency`);
    }
    return {
      accountCode: row.accountCode,
      currency,
      openingMinor: debitMinor - creditMinor,
      debitMinor: row.debitMinor - debitMinor,
      creditMinor: row.creditMinor - creditMinor,
    };
  });
}

async function trialBalance(http: ErpHttp, call: ErpCall, date: LocalDate): Promise<readonly TrialBalanceRow[]> {
  const response = await http.read(call, trialBalanceSchema, {
    method: 'GET',
    path: `${companyPath(call)}/trial-balance`,
    query: new URLSearchParams({ date, state: 'posted' }),
  });
  if (response === undefined) {
    throw unusable(`the ledger has no company ${call.company}`);
  }
  return response.rows;
}

const keyOf = ({ accountCode, currency }: TrialBalanceRow) => JSON.stringify([accountCode, currency]);

function unusable(message: string): ErpUnavailable {
  return new ErpUnavailable({ kind: 'server-error', message });
}
