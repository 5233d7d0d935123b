// What there is to choose from in the accounting system: companies, accounts, tax codes, dimensions and vendors.
import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { RecentLists } from '../../../foundation/process/recent-lists.js';
import { Clock } from '../../../kernel/clock.js';
import { toErpCompanyId, type ErpCompanyId, type InstallationId } from '../../../kernel/ids.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import { companyRef } from '../domain/company-ref.js';
import {
  searchable,
  searchListRows,
  type ListRowFilter,
  type ErpListRow,
  type FoundRows,
  type SearchableRow,
} from '../domain/search-list-rows.js';

/** Lists of one company. */
export type ErpListName = 'accounts' | 'tax-codes' | 'dimensions' | 'vendors';

export type ErpListOutcome =
  | ({ readonly outcome: 'found' } & FoundRows)
  /** No company is linked, or the linked one no longer exists. */
  | { readonly outcome: 'no-company' | 'no-such-list' | 'no-such-dimension' };

export interface FoundCompanies extends Omit<FoundRows, 'data'> {
  readonly data: readonly (ErpListRow & { readonly isLinked: boolean })[];
}

interface LinkedCompany {
  readonly ref: ErpCompanyId | null;
  /** Of all connections: a change of one is another key of the cache. */
  readonly versions: string | null;
  readonly generation: number | null;
  readonly isFirst: boolean | null;
}

@Injectable()
export class SearchErpLists {
  private readonly cache: RecentLists<SearchableRow>;

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly erpConnections: ErpConnections,
    clock: Clock,
  ) {
    this.cache = new RecentLists(clock);
  }

  /** Companies that the present connection opens. @throws ErpUnavailable */
  async searchCompanies(installationId: InstallationId, filter: ListRowFilter, limit: number): Promise<FoundCompanies> {
    const { ref, versions, generation, isFirst } = await this.linkedCompanyOf(installationId);
    const list = await this.cache.get(`${installationId} ${versions ?? ''} companies`, async () =>
      searchable(
        (await this.erpConnections.listCompanies(installationId)).map(({ id, name, registrationNumber }) => ({
          ...{ code: id, name, active: true, type: null, externalId: null },
          ...(registrationNumber !== undefined && { registrationNumber }),
        })),
      ),
    );
    const { data, total } = searchListRows(list ?? [], filter, limit);
    const isLinked = (code: string) => {
      const id = toErpCompanyId(code);
      return ref === (generation === null ? id : companyRef(generation, isFirst === true, id));
    };
    return { total, data: data.map((row) => ({ ...row, isLinked: isLinked(row.code) })) };
  }

  /** @throws ErpUnavailable */
  async searchList(
    installationId: InstallationId,
    name: ErpListName,
    filter: ListRowFilter,
    limit: number,
  ): Promise<ErpListOutcome> {
    return this.search(installationId, name, filter, limit, (erp) => READ[name](erp));
  }

  /** @param dimension its code @throws ErpUnavailable */
  async searchValues(
    installationId: InstallationId,
    dimension: string,
    filter: ListRowFilter,
    limit: number,
  ): Promise<ErpListOutcome> {
    const known = await this.searchList(installationId, 'dimensions', {}, MAX_DIMENSIONS);
    if (known.outcome !== 'found' || known.data.every(({ code }) => code !== dimension)) {
      return known.outcome === 'found' ? { outcome: 'no-such-dimension' } : known;
    }
    return this.search(installationId, `dimension ${dimension}`, filter, limit, async (erp) =>
      (await erp.dimensions())?.find(({ code }) => code === dimension)?.values.map(plain),
    );
  }

  private async search(
    installationId: InstallationId,
    name: string,
    filter: ListRowFilter,
    limit: number,
    read: (erp: ConnectedErp) => Promise<readonly ErpListRow[] | undefined>,
  ): Promise<ErpListOutcome> {
    const { ref, versions } = await this.linkedCompanyOf(installationId);
    if (ref === null) {
      return { outcome: 'no-company' };
    }
    const erp = await this.erpConnections.open(installationId, ref);
    if (name.startsWith('dimension') && !erp.capabilities.dimensions) {
      return { outcome: 'no-such-list' };
    }
    const list = await this.cache.get(`${installationId} ${versions ?? ''} ${ref} ${name}`, async () => {
      const rows = await read(erp);
      return rows && searchable(rows);
    });
    return list === undefined
      ? { outcome: 'no-company' }
      : { outcome: 'found', ...searchListRows(list, filter, limit) };
  }

  private async linkedCompanyOf(installationId: InstallationId): Promise<LinkedCompany> {
    return this.tenantDatabase.readOnce('find ERP company', installationId, (tx) =>
      tx.one<LinkedCompany>(sql`
        SELECT erp_company_id AS ref, current.generation, current.is_first AS "isFirst",
          (SELECT string_agg(concat(generation, '.', version, ended_at), ' ' ORDER BY generation) FROM erp_connection
            WHERE installation_id = ${installationId}) AS versions
        FROM installation LEFT JOIN erp_connection current
          ON current.installation_id = installation.id AND current.ended_at IS NULL
        WHERE installation.id = ${installationId}`),
    );
  }
}

const MAX_DIMENSIONS = 10_000;

const plain = (row: { readonly code: string; readonly name: string; readonly active: boolean }): ErpListRow => ({
  ...{ code: row.code, name: row.name, active: row.active },
  ...{ type: null, externalId: null },
});

const READ: Readonly<Record<ErpListName, (erp: ConnectedErp) => Promise<readonly ErpListRow[] | undefined>>> = {
  accounts: async (erp) =>
    (await erp.accounts())?.map((row) => ({ ...plain(row), type: row.type ?? null, externalId: row.externalId })),
  'tax-codes': async (erp) =>
    (await erp.taxCodes())?.map((row) => ({ ...plain(row), type: row.type ?? null, rate: row.rate })),
  dimensions: async (erp) => (await erp.dimensions())?.map(plain),
  vendors: async (erp) =>
    (await erp.vendors())?.vendors.map(
      ({ number, name, usable, isEmployee, externalId = null, country, registrationNumber, taxNumber }) => ({
        ...plain({ code: number, name, active: usable }),
        ...{ type: isEmployee ? 'employee' : 'supplier', externalId },
        ...(country !== undefined && { country }),
        ...(registrationNumber !== undefined && { registrationNumber }),
        ...(taxNumber !== undefined && { taxNumber }),
      }),
    ),
};
