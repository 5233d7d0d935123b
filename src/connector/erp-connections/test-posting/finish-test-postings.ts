// Takes back what a test has posted, by the request itself or, after an interruption, by a task.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import { ErpUnavailable, type PostedGroup } from '../../erp/erp-ledger.js';
import { WakeDue } from '../../runs/wake-due.js';
import { TestPostingRepository, type TestPosting, type TestPostingOutcome } from './test-posting.repository.js';
import { finishTestPostingsTask } from './test-posting.tasks.js';

/** Milliseconds after which what the ERP does not have will never arrive. */
const NEVER_ARRIVES_MS = 600_000;

@Injectable()
export class FinishTestPostings {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly testPostingRepository: TestPostingRepository,
    private readonly erpConnections: ErpConnections,
    private readonly wakeDue: WakeDue,
  ) {}

  /** Wakes a worker for each installation with a test that is not finished. */
  async wake(): Promise<void> {
    await this.wakeDue.wakeInstallations(
      'test postings',
      (tx, limit) => this.testPostingRepository.claimDue(tx, limit),
      finishTestPostingsTask,
    );
  }

  async finishDue(installationId: InstallationId): Promise<void> {
    const unfinished = await this.tenantDatabase.readOnce('unfinished test postings', installationId, (tx) =>
      this.testPostingRepository.listUnfinished(tx, installationId),
    );
    for (const posting of unfinished) {
      await this.finish(installationId, posting);
    }
  }

  /** Looks what happened to a test, and takes it back; without a response of the ERP it stays to be finished. */
  async finish(installationId: InstallationId, posting: TestPosting): Promise<void> {
    const outcome = await this.takeBack(installationId, posting);
    await this.tenantDatabase.inInstallation('record test posting', installationId, (tx) =>
      this.testPostingRepository.record(tx, installationId, posting.id, outcome),
    );
  }

  private async takeBack(installationId: InstallationId, posting: TestPosting): Promise<TestPostingOutcome> {
    const { id, erpCompanyId, mode, sinceSentMs } = posting;
    const unknown = { documentNumber: null, documentUrl: null };
    try {
      const erp = await this.erpConnections.open(installationId, erpCompanyId);
      if (erp.capabilities.search.kind === 'none') {
        return { ...unknown, state: 'left', message: 'The accounting system cannot be searched for it.' };
      }
      const found = (await erp.findPosted([id])).get(id);
      if (found === undefined) {
        const isLost = sinceSentMs >= NEVER_ARRIVES_MS;
        const message = isLost ? 'The entry never arrived.' : null;
        return { ...unknown, state: isLost ? 'refused' : 'sent', message };
      }
      const shown = shownOf(found);
      if (mode === 'draft' || found.reversed) {
        return { ...shown, state: found.reversed ? 'taken-back' : 'draft', message: null };
      }
      const [reversed] = await erp.reverse([id]);
      switch (reversed?.outcome) {
        case 'reversed':
          return { ...shown, state: 'taken-back', message: null };
        case 'refused':
          return { ...shown, state: 'left', message: reversed.message };
        default:
          return { ...shown, state: 'sent', message: null };
      }
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { ...unknown, state: 'sent', message: error.failure.message };
      }
      throw error;
    }
  }
}

export function shownOf({ entries: [entry] }: PostedGroup): Pick<TestPostingOutcome, 'documentNumber' | 'documentUrl'> {
  return { documentNumber: entry?.number ?? entry?.id ?? null, documentUrl: entry?.url ?? null };
}
