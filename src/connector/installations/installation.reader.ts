import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { CompanyId, InstallationId } from '../../kernel/ids.js';
import type { Installation, InstallationState } from './domain/installation.js';
import { InstallationRepository } from './installation.repository.js';

/** What the operator sees of an installation: no business data. */
export interface InstallationSummary {
  readonly id: InstallationId;
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly state: InstallationState;
  readonly createdAt: Date;
}

/** Reads installations, each call in a transaction of its own. */
@Injectable()
export class InstallationReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
  ) {}

  /** @returns undefined for an id that does not exist */
  async find(installationId: InstallationId): Promise<Installation | undefined> {
    return this.tenantDatabase.readOnce('find installation', installationId, (tx) =>
      this.installationRepository.find(tx, installationId),
    );
  }

  /** For the operator: at most `limit` installations of all tenants, newest first. @param after the last one of the page before */
  async summaries(
    after: { readonly createdAt: Date; readonly id: string } | undefined,
    limit: number,
  ): Promise<readonly InstallationSummary[]> {
    return this.tenantDatabase.readOnceAcross('list installations', (tx) =>
      tx.rows<InstallationSummary>(sql`
        SELECT * FROM (
          SELECT id, platform_company_id AS "companyId", company_name AS "companyName", state,
            date_trunc('milliseconds', created_at) AS "createdAt"
          FROM installation) AS summary
        WHERE ${after === undefined} OR ("createdAt", id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::uuid)
        ORDER BY "createdAt" DESC, id DESC LIMIT ${limit}`),
    );
  }
}
