// Goes on with reversals that were begun for a person and never came to an end, before anything is compared: half of one
// would look like a difference of another kind.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { ExportRecordsService, LeaseLost } from '../../exports/stores/export-records.service.js';
import { DifferenceRepository } from './difference.repository.js';
import { RunMustWait, type ReconciliationScope } from './reconciliation-scope.js';
import { ReverseDifference } from '../actions/reverse-difference.js';

/** Each was begun by a person's own hand; the rest has its turn in the next run. */
const MOST_AT_ONCE = 100;

@Injectable()
export class ResumeReversals {
  constructor(
    private readonly database: TenantDatabase,
    private readonly differences: DifferenceRepository,
    private readonly records: ExportRecordsService,
    private readonly reversing: ReverseDifference,
  ) {}

  /** @throws RunMustWait while the one who began it, or an export, is at work; ErpUnavailable */
  async run({ run }: ReconciliationScope): Promise<void> {
    const { installationId, companyId } = run;
    const begun = await this.database.inInstallation('find begun reversals', installationId, (tx) =>
      this.differences.findBegunReversals(tx, installationId, companyId, MOST_AT_ONCE),
    );
    for (const { askedBy, ...difference } of begun) {
      const resumed = await this.records
        .asOwner(installationId, companyId, (lease) =>
          this.reversing.run(lease, difference, { by: askedBy, note: difference.note ?? '' }),
        )
        .catch((error: unknown) => {
          if (error instanceof LeaseLost) {
            return undefined;
          }
          throw error;
        });
      if (resumed === undefined) {
        throw new RunMustWait('somebody works on the company');
      }
    }
  }
}
