// Manual review: a bookkeeper states the outcome of a posting in doubt. At level `none` nothing else can resolve it
// (docs/rules/capability-levels.md, I18).
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toErpCompanyId, type AccountingEntryId, type InstallationId } from '../../../kernel/ids.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import { InDoubtPostingRepository, type ManualResolution, type InDoubtIntent } from './in-doubt-posting.repository.js';

/**
 * `unknown`: the entry was never sent · `certain`: its outcome is known already · `several`: it is uncertain in more than one ERP
 * company, and the caller has to name one · `there`: the person reports it as absent, and the ERP shows it.
 */
export type ResolutionOutcome = 'resolved' | 'unknown' | 'certain' | 'several' | 'there';

@Injectable()
export class ResolveInDoubtPosting {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly inDoubtPostingRepository: InDoubtPostingRepository,
    private readonly erpConnections: ErpConnections,
  ) {}

  /**
   * The next export of the entry posts it again, or reports the entry that the person has found. An ERP that can be searched is
   * searched before an entry counts as absent (D3.26).
   * @param erpCompanyId undefined: the only one in which it is uncertain
   * @param by the person, for the record
   * @throws ErpUnavailable; nothing is changed then
   */
  async resolve(
    installationId: InstallationId,
    accountingEntryId: AccountingEntryId,
    erpCompanyId: string | undefined,
    resolution: ManualResolution,
    by: string,
  ): Promise<ResolutionOutcome> {
    const intent = await this.tenantDatabase.inInstallation('find in-doubt posting', installationId, (tx) =>
      this.find(tx, installationId, accountingEntryId, erpCompanyId),
    );
    if (typeof intent === 'string') {
      return intent;
    }
    if (resolution.outcome === 'not-in-the-books' && (await this.isFoundInErp(installationId, intent))) {
      return 'there';
    }
    return this.tenantDatabase.inInstallation('resolve in-doubt posting', installationId, async (tx) => {
      const locked = await this.find(tx, installationId, accountingEntryId, intent.erpCompanyId);
      if (typeof locked === 'string') {
        return locked;
      }
      await this.inDoubtPostingRepository.resolve(tx, installationId, locked, resolution, by);
      return 'resolved';
    });
  }

  private async find(
    tx: Tx,
    installationId: InstallationId,
    accountingEntryId: AccountingEntryId,
    erpCompanyId: string | undefined,
  ): Promise<InDoubtIntent | 'unknown' | 'certain' | 'several'> {
    const uncertain = await this.inDoubtPostingRepository.lock(tx, installationId, accountingEntryId);
    const [intent, ...others] = uncertain.filter(
      (each) => erpCompanyId === undefined || each.erpCompanyId === erpCompanyId,
    );
    if (intent === undefined) {
      return (await this.inDoubtPostingRepository.wasEverSent(tx, installationId, accountingEntryId))
        ? 'certain'
        : 'unknown';
    }
    return others.length > 0 ? 'several' : intent;
  }

  /** A search that shows nothing leaves the decision to the person, even while it may lag (`searchable-reference`). */
  private async isFoundInErp(
    installationId: InstallationId,
    { erpCompanyId, accountingEntryId }: InDoubtIntent,
  ): Promise<boolean> {
    const erp = await this.erpConnections.open(installationId, toErpCompanyId(erpCompanyId));
    if (erp.guarantee.level === 'none') {
      return false;
    }
    const found = await erp.findPosted([accountingEntryId]);
    return found.get(accountingEntryId)?.reversed === false;
  }
}
