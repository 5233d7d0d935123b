import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { accountSearchSchema, type Account } from '../accounts/account.js';
import { ACCOUNT_COLUMNS, AccountRepository } from '../accounts/account.repository.js';
import { EMPLOYEE_COLUMNS, EmployeeRepository, type Employee } from '../employees/employee.repository.js';
import type { Pagination } from '../paging/page.js';
import { ReadPage, type PagedList } from '../paging/read-page.js';
import { SearchTags } from '../tags/search-tags.js';
import type { TagGroup } from '../tags/tag-group.js';
import { TagGroupRepository } from '../tags/tag-group.repository.js';
import { tagSearchOf, type Tag } from '../tags/tag.js';
import type { TaxCode } from '../tax-codes/tax-code.js';
import { TAX_CODE_COLUMNS, TaxCodeRepository } from '../tax-codes/tax-code.repository.js';
import { vendorSearchSchema, type Vendor } from '../vendors/vendor.js';
import { VENDOR_COLUMNS, VendorRepository } from '../vendors/vendor.repository.js';
import { queryUuids, type Query } from '../wire/parse-request.js';

interface RowsOfPage<Row> {
  readonly rows: readonly Row[];
  readonly pagination: Pagination;
}

/** Shows a company's reference data, archived and not, page by page. */
@Injectable()
export class ReadReferenceData {
  constructor(
    private readonly accountRepository: AccountRepository,
    private readonly taxCodeRepository: TaxCodeRepository,
    private readonly vendorRepository: VendorRepository,
    private readonly employeeRepository: EmployeeRepository,
    private readonly tagGroupRepository: TagGroupRepository,
    private readonly searchTags: SearchTags,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  async accounts(companyId: string, query: Query): Promise<RowsOfPage<Account>> {
    const all = accountSearchSchema.parse({ companyId });
    return this.page(query, (tx) => ({
      list: this.accountRepository.listOf(all),
      columns: ACCOUNT_COLUMNS,
      rows: (ids) => this.accountRepository.findByIds(tx, ids),
    }));
  }

  async taxCodes(companyId: string, query: Query): Promise<RowsOfPage<TaxCode>> {
    return this.page(query, (tx) => ({
      list: this.taxCodeRepository.listOf([companyId], {}),
      columns: TAX_CODE_COLUMNS,
      rows: (ids) => this.taxCodeRepository.findByIds(tx, ids),
    }));
  }

  async vendors(companyId: string, query: Query): Promise<RowsOfPage<Vendor>> {
    const all = vendorSearchSchema.parse({});
    return this.page(query, (tx) => ({
      list: this.vendorRepository.listOf(companyId, all),
      columns: VENDOR_COLUMNS,
      rows: (ids) => this.vendorRepository.findByIds(tx, ids),
    }));
  }

  async employees(companyId: string, query: Query): Promise<RowsOfPage<Employee>> {
    const all = { email: undefined, code: undefined };
    return this.page(query, (tx) => ({
      list: this.employeeRepository.listOf([companyId], all),
      columns: EMPLOYEE_COLUMNS,
      rows: (ids) => this.employeeRepository.findByIds(tx, ids),
    }));
  }

  async tagGroups(
    companyId: string,
  ): Promise<readonly { readonly group: TagGroup; readonly tagCount: number }[]> {
    return this.database.inTransaction('show tag groups', async (tx) => {
      const ids = await this.tagGroupRepository.idsOf(tx, [companyId], { includeArchived: true, ids: [] });
      const counts = await this.tagGroupRepository.tagCounts(tx, ids);
      const groups = await this.tagGroupRepository.findByIds(tx, ids);
      return groups.map((group) => ({ group, tagCount: counts.get(group.id) ?? 0 }));
    });
  }

  async tags(companyId: string, query: Query): Promise<RowsOfPage<Tag>> {
    const tagGroupIds = [...queryUuids(query, 'tag_group_id')];
    return this.database.inTransaction('show tags', (tx) =>
      this.searchTags.search(tx, query, tagSearchOf([companyId], { includeArchived: true, tagGroupIds })),
    );
  }

  private async page<Row extends { readonly id: string }>(
    query: Query,
    list: (tx: Tx) => PagedList<Row>,
  ): Promise<RowsOfPage<Row>> {
    return this.database.inTransaction('show reference data', (tx) =>
      this.readPage.readPage(tx, query, list(tx)),
    );
  }
}
