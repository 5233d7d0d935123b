// Resumes reversals that a person requested and that never ended, before anything is compared: a half-finished reversal
// would look like a discrepancy of another class.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { LeaseLost } from '../../runs/lease.js';
import { DiscrepancyRepository } from './discrepancy.repository.js';
import { RunPostponed } from '../../runs/run-interruptions.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';
import { ReverseDiscrepantEntry } from '../actions/reverse-discrepant-entry.js';

/** Each was requested by a person, so there are few; the next run resumes the rest. */
const MAX_PER_RUN = 100;

@Injectable()
export class ResumeReversals {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly reverseDiscrepantEntry: ReverseDiscrepantEntry,
  ) {}

  /** @throws RunPostponed while another worker owns the company; ErpUnavailable */
  async resumeBegun({ run }: ReconciliationScope): Promise<void> {
    const { installationId, companyId } = run;
    const begun = await this.tenantDatabase.readOnce('find begun reversals', installationId, (tx) =>
      this.discrepancyRepository.findBegunReversals(tx, installationId, companyId, MAX_PER_RUN),
    );
    for (const { requestedBy, ...discrepancy } of begun) {
      const resumed = await this.reverseDiscrepantEntry
        .reverseInErp(installationId, discrepancy, { by: requestedBy, note: discrepancy.note ?? '' })
        .catch((error: unknown) => {
          if (error instanceof LeaseLost) {
            return undefined;
          }
          throw error;
        });
      if (resumed === undefined) {
        throw new RunPostponed('another worker owns the company');
      }
    }
  }
}
