// Writes down what a run has found, and mended, in one transaction with the run's own counts.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Clock } from '../../../kernel/clock.js';
import { DifferenceRepository, type SeenDifference } from './difference.repository.js';
import { ReconciliationRunRepository } from '../reconciliation-run.repository.js';
import type { ReconciliationScope } from './reconciliation-scope.js';

export type NewDifference = Omit<SeenDifference, 'id'>;

@Injectable()
export class WriteDifferences {
  constructor(
    private readonly database: TenantDatabase,
    private readonly differences: DifferenceRepository,
    private readonly runs: ReconciliationRunRepository,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /** @throws RunTakenOver, and then nothing is written */
  async run({ run }: ReconciliationScope, found: readonly NewDifference[]): Promise<void> {
    if (found.length === 0) {
      return;
    }
    const repaired = found.filter(({ repairedAs }) => repairedAs !== undefined).length;
    await this.database.inInstallation('write differences', run.installationId, async (tx) => {
      await this.runs.advance(tx, run, { differences: found.length, repaired });
      const seen = found.map((each) => ({ ...each, id: randomUUID() }));
      await this.differences.see(tx, run, seen, this.clock.now());
    });
    const { installationId } = run;
    for (const { class: differenceClass, subject, repairedAs } of found) {
      this.logger
        .of('reconciliation')
        .warn({ installationId, differenceClass, subject, repairedAs }, 'reconciliation.difference');
    }
  }
}
