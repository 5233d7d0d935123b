import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';

const claims = new Counter({
  name: 'connector_erp_company_claims_total',
  help: 'Attempts to link an ERP company that is linked to another installation',
});

/** Notifies owner and operator that another installation has requested an ERP company that is linked already. */
@Injectable()
export class RecordCompanyClaim {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * The owner gets one alert a day, however often it happens.
   * @param requester who gets the same response whether there is an owner or not
   */
  async recordClaim(requester: InstallationId, system: string, companyId: string): Promise<void> {
    const found = await this.tenantDatabase.acrossInstallations('find owner of ERP company', (tx) =>
      tx.maybeOne<{ owner: string }>(sql`
        SELECT installation_id AS owner FROM erp_company_link
        WHERE erp_system = ${system} AND erp_company_id = ${companyId} AND installation_id <> ${requester}`),
    );
    if (found === undefined) {
      return;
    }
    const owner = toInstallationId(found.owner);
    await this.tenantDatabase.inInstallation('record claim of ERP company', owner, (tx) =>
      tx.execute(sql`
        INSERT INTO erp_company_claim (installation_id, day, claims, first_at)
        VALUES (${owner}, (clock_timestamp() AT TIME ZONE 'UTC')::date, 1, clock_timestamp())
        ON CONFLICT (installation_id, day) DO UPDATE SET claims = erp_company_claim.claims + 1`),
    );
    claims.inc();
    this.appLogger
      .of('erp')
      .warn({ installationId: requester, ownerId: owner, erpSystem: system }, 'erp_company.wanted_by_another');
  }
}
