import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { PublicAddress } from '../../installations/public-address.js';
import type { ReportedItem } from '../../platform/platform-api.js';
import { shortenReason } from '../domain/verdict.js';

/** Ends the reason of a failed item with the address of the page where its issue is resolved. */
@Injectable()
export class IssueLinks {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly publicAddress: PublicAddress,
  ) {}

  /** An entry with several issues gets the address of the first; none where no page is configured. */
  async addTo(installationId: InstallationId, results: readonly ReportedItem[]): Promise<readonly ReportedItem[]> {
    const failed = results
      .filter(({ status }) => status === 'failed')
      .map(({ accountingEntryId }) => accountingEntryId);
    if (this.publicAddress.issuePage('') === undefined || failed.length === 0) {
      return results;
    }
    const rows = await this.tenantDatabase.readOnce('find issues of results', installationId, (tx) =>
      tx.rows<{ id: string; key: string }>(sql`
        SELECT accounting_entry_id AS id, min(issue_key) AS key FROM failed_entry
        WHERE installation_id = ${installationId} AND accounting_entry_id = ANY(${failed}::uuid[]) AND cleared_at IS NULL
        GROUP BY accounting_entry_id`),
    );
    const links = new Map(rows.map(({ id, key }) => [id, this.publicAddress.issuePage(key)]));
    return results.map((result) => {
      const link = links.get(result.accountingEntryId);
      return result.failureReason === undefined || link === undefined
        ? result
        : { ...result, failureReason: withLink(result.failureReason, link) };
    });
  }
}

/** Shortens the reason, never the address. */
function withLink(reason: string, link: string): string {
  return `${shortenReason(reason, link.length + 1)} ${link}`;
}
