// A person has looked into the ERP and says what became of a posting that the connector was unsure of: the way on at
// level E0, and a way out at the others (spec: reliability §b3, invariant I18).
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { AccountingEntryId, InstallationId } from '../../kernel/ids.js';
import { UncertainPostingRepository, type Resolution } from './uncertain-posting.repository.js';

/**
 * `unknown`: nothing of the entry was ever sent · `certain`: what became of it is known already · `several`: it is
 * uncertain in more than one ERP company, and the caller has to say in which.
 */
export type Resolved = 'resolved' | 'unknown' | 'certain' | 'several';

@Injectable()
export class ResolveUncertain {
  constructor(
    private readonly database: TenantDatabase,
    private readonly postings: UncertainPostingRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The next export of the entry posts it again, or reports what the person has found.
   * @param erpCompanyId undefined: the only one that it is uncertain in
   * @param by who says so, for the record
   */
  async run(
    installationId: InstallationId,
    accountingEntryId: AccountingEntryId,
    erpCompanyId: string | undefined,
    resolution: Resolution,
    by: string,
  ): Promise<Resolved> {
    return this.database.inInstallation('resolve uncertain posting', installationId, async (tx) => {
      const uncertain = await this.postings.lock(tx, installationId, accountingEntryId);
      const [intent, ...others] = uncertain.filter(
        (each) => erpCompanyId === undefined || each.erpCompanyId === erpCompanyId,
      );
      if (intent === undefined) {
        return (await this.postings.isKnown(tx, installationId, accountingEntryId)) ? 'certain' : 'unknown';
      }
      if (others.length > 0) {
        return 'several';
      }
      await this.postings.resolve(tx, installationId, intent, resolution, by, this.clock.now());
      return 'resolved';
    });
  }
}
