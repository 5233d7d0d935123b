import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { startOfPage, toPage } from '../http/page.js';
import type { DimensionBalancesDto, DimensionBalancesQuery } from './dimension-balances.dto.js';
import { DimensionBalancesRepository } from './dimension-balances.repository.js';
import { inSnapshot } from '../companies/in-snapshot.js';

/** Posted lines by the value that they carry of one dimension. */
@Injectable()
export class ShowDimensionBalances {
  constructor(
    private readonly database: Database,
    private readonly dimensionBalancesRepository: DimensionBalancesRepository,
  ) {}

  /** @throws Problem 404 for an unknown dimension, 400 for a cursor of another list */
  async showDimensionBalances(companyId: string, query: DimensionBalancesQuery): Promise<DimensionBalancesDto> {
    const start = startOfPage(query, 3);
    const { dimension, from = null, to = null } = query;
    return inSnapshot(this.database, 'dimension-balances', async (tx) => {
      const functionalCurrency = await this.dimensionBalancesRepository.functionalCurrency(tx, companyId, dimension);
      if (functionalCurrency === undefined) {
        throw new Problem({
          status: 404,
          type: 'dimension-not-found',
          detail: `The company has no dimension ${dimension}.`,
        });
      }
      const rows = await this.dimensionBalancesRepository.page(tx, companyId, query, start);
      const page = toPage(query, rows, (row) => [row.value ?? '', row.accountCode, row.currency]);
      return { dimension, functionalCurrency, from, to, ...page };
    });
  }
}
