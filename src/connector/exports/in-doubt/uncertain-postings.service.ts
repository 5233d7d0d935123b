import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { AccountingEntryId, InstallationId } from '../../../kernel/ids.js';
import { ErpLedger, type ErpCapability } from '../../erp/erp-ledger.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { ResolveUncertain, type Resolved } from './resolve-uncertain.js';
import { SettleUncertain } from './settle-uncertain.js';
import {
  UncertainPostingRepository,
  type Resolution,
  type UncertainPosition,
  type UncertainPosting,
} from './uncertain-posting.repository.js';
import { settleUncertainTask, type SettleUncertainTask } from './uncertain-postings.tasks.js';

/** Most companies one look wakes; the next one comes soon. */
const WAKE_LIMIT = 200;

/** What the rest of the connector may ask of postings that may be in the books. */
@Injectable()
export class UncertainPostingsService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly postings: UncertainPostingRepository,
    private readonly resolution: ResolveUncertain,
    private readonly settlement: SettleUncertain,
    private readonly erp: ErpLedger,
    private readonly tasks: TaskQueue,
  ) {}

  /** What the ERP offers against double posting, which says who can end an uncertainty. */
  get erpLevel(): ErpCapability['level'] {
    return this.erp.capability.level;
  }

  /** Oldest first. */
  async list(
    installationId: InstallationId,
    after: UncertainPosition | undefined,
    limit: number,
  ): Promise<readonly UncertainPosting[]> {
    return this.database.inInstallation('list uncertain postings', installationId, (tx) =>
      this.postings.list(tx, installationId, after, limit),
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
    resolution: Resolution,
    by: string,
  ): Promise<Resolved> {
    return this.resolution.run(installationId, accountingEntryId, erpCompanyId, resolution, by);
  }

  /** Wakes a worker for every company with a due look-up. At E0 nothing can be looked up. */
  async wake(): Promise<void> {
    if (this.erpLevel === 'E0') {
      return;
    }
    const due = await this.database.acrossInstallations('find due look-ups', (tx) =>
      this.postings.findDueCompanies(tx, WAKE_LIMIT),
    );
    for (const task of due) {
      await this.database.inInstallation('wake for look-ups', task.installationId, (tx) =>
        this.tasks.send(tx, settleUncertainTask, task, `${task.installationId}/${task.companyId}`),
      );
    }
  }

  /** Looks the due uncertain postings of a company up in the ERP and records what has become certain. */
  async settle(task: SettleUncertainTask, stopping: AbortSignal): Promise<void> {
    await this.settlement.run(task, stopping);
  }
}
