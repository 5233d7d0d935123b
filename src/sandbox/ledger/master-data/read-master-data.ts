import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { readPageIn, type ListRepository } from '../companies/company-master-data.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { inSnapshot } from '../companies/in-snapshot.js';
import { PageQuery } from '../http/page.js';
import { CompanyLists } from './company-lists.js';
import type { MasterDataDto } from './master-data.dto.js';

@Injectable()
export class ReadMasterData {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly companyLists: CompanyLists,
  ) {}

  /**
   * The revisions are those of the lists, whatever is changed meanwhile.
   * @param companyId of a company that exists
   */
  async readMasterData(companyId: string): Promise<MasterDataDto> {
    return inSnapshot(this.database, 'master-data.read', async (tx) => {
      const rows = async <Row>(list: ListRepository<Row>): Promise<readonly Row[] | null> => {
        const { data, nextCursor } = await readPageIn(tx, list, companyId, new PageQuery());
        return nextCursor === null ? data : null;
      };
      const lists = this.companyLists;
      const [company, accounts, taxCodes, dimensions, dimensionValues, vendors, periods] = await Promise.all([
        this.companyRepository.find(tx, companyId),
        rows(lists.accounts),
        rows(lists.taxCodes),
        rows(lists.dimensions),
        rows(lists.dimensionValues),
        rows(lists.vendors),
        rows(lists.periods),
      ]);
      return { company, accounts, taxCodes, dimensions, dimensionValues, vendors, periods };
    });
  }
}
