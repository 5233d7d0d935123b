import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { inSnapshot } from '../companies/in-snapshot.js';
import type { TotalDto, TrialBalanceDto, TrialBalanceQuery } from './trial-balance.dto.js';
import { TrialBalanceRepository } from './trial-balance.repository.js';

/** The balance of every account in every currency, and totals. */
@Injectable()
export class ShowTrialBalance {
  constructor(
    private readonly database: Database,
    private readonly trialBalanceRepository: TrialBalanceRepository,
  ) {}

  async showTrialBalance(companyId: string, query: TrialBalanceQuery): Promise<TrialBalanceDto> {
    return inSnapshot(this.database, 'trial-balance', async (tx) => {
      const rows = await this.trialBalanceRepository.rows(tx, companyId, query);
      const counted = await this.trialBalanceRepository.countEntries(tx, companyId, query);
      const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
      return {
        date: query.date ?? null,
        state: query.state,
        entries: Number(counted.entries),
        rows,
        totals: [...byCurrency.keys()].sort().map((currency) => total(currency, byCurrency.get(currency) ?? [])),
        baseTotal: total(
          counted.functionalCurrency,
          rows.map((row) => ({ debitMinor: row.baseDebitMinor, creditMinor: row.baseCreditMinor })),
        ),
      };
    });
  }
}

function total(currency: string, rows: readonly Pick<TotalDto, 'debitMinor' | 'creditMinor'>[]): TotalDto {
  return {
    currency,
    debitMinor: rows.reduce((sum, row) => sum + BigInt(row.debitMinor), 0n).toString(),
    creditMinor: rows.reduce((sum, row) => sum + BigInt(row.creditMinor), 0n).toString(),
  };
}
