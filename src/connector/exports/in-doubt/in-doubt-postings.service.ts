import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { AccountingEntryId, InstallationId } from '../../../kernel/ids.js';
import { ErpLedger, type ErpCapability } from '../../erp/erp-ledger.js';
import { WakeDue } from '../../runs/wake-due.js';
import { ResolveInDoubtPosting, type ResolutionOutcome } from './resolve-in-doubt-posting.js';
import { LookUpInDoubtPostings } from './look-up-in-doubt-postings.js';
import {
  InDoubtPostingRepository,
  type ManualResolution,
  type InDoubtPosition,
  type InDoubtPosting,
} from './in-doubt-posting.repository.js';
import { lookUpInDoubtPostingsTask, type LookUpInDoubtPostingsTask } from './in-doubt-postings.tasks.js';

/** What the rest of the connector may ask of postings that may be in the books. */
@Injectable()
export class InDoubtPostingsService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly inDoubtPostingRepository: InDoubtPostingRepository,
    private readonly resolveInDoubtPosting: ResolveInDoubtPosting,
    private readonly lookUpInDoubtPostings: LookUpInDoubtPostings,
    private readonly erpLedger: ErpLedger,
    private readonly wakeDue: WakeDue,
  ) {}

  /** What the ERP offers against double posting, which says who can end an uncertainty. */
  get erpCapability(): ErpCapability['level'] {
    return this.erpLedger.capability.level;
  }

  /** Oldest first. */
  async list(
    installationId: InstallationId,
    after: InDoubtPosition | undefined,
    limit: number,
  ): Promise<readonly InDoubtPosting[]> {
    return this.tenantDatabase.inInstallation('list uncertain postings', installationId, (tx) =>
      this.inDoubtPostingRepository.list(tx, installationId, after, limit),
    );
  }

  /**
   * Takes a person's word for what became of a posting.
   * @param by who says so, for the record
   */
  async resolve(
    installationId: InstallationId,
    accountingEntryId: AccountingEntryId,
    erpCompanyId: string | undefined,
    resolution: ManualResolution,
    by: string,
  ): Promise<ResolutionOutcome> {
    return this.resolveInDoubtPosting.resolve(
      installationId,
      accountingEntryId,
      erpCompanyId,
      resolution,
      by,
    );
  }

  /** Wakes a worker for every company with a due look-up. At `none` nothing can be looked up. */
  async wake(): Promise<void> {
    if (this.erpCapability === 'none') {
      return;
    }
    await this.wakeDue.wakeEach(
      'look-ups',
      (tx, limit) => this.inDoubtPostingRepository.findDueCompanies(tx, limit),
      lookUpInDoubtPostingsTask,
      ({ installationId, companyId }) => `${installationId}/${companyId}`,
    );
  }

  /** Looks the due uncertain postings of a company up in the ERP and records what has become certain. */
  async lookUpDue(task: LookUpInDoubtPostingsTask, stopping: AbortSignal): Promise<void> {
    await this.lookUpInDoubtPostings.lookUpDue(task, stopping);
  }
}
