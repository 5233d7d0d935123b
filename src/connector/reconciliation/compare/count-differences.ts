// How many differences are open, and for how many of them an administrator wanted to be told by now.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { DifferenceRepository, type OpenDifferences } from './difference.repository.js';
import { ReconciliationTurnRepository, type Turn } from '../reconciliation-turn.repository.js';

/** As the schema's default. */
const DEFAULT_ALERT_DAYS = 7;
const DAY_MS = 86_400_000;

export interface DifferenceCounts extends OpenDifferences {
  /** Days after which an open difference is overdue. */
  readonly alertAfterDays: number;
  /** Undefined: not planned yet. */
  readonly turn: Turn | undefined;
}

@Injectable()
export class CountDifferences {
  constructor(
    private readonly database: TenantDatabase,
    private readonly turns: ReconciliationTurnRepository,
    private readonly differences: DifferenceRepository,
    private readonly clock: Clock,
  ) {}

  async run(installationId: InstallationId): Promise<DifferenceCounts> {
    return this.database.inInstallation('count differences', installationId, async (tx) => {
      const turn = await this.turns.find(tx, installationId);
      const alertAfterDays = turn?.alertAfterDays ?? DEFAULT_ALERT_DAYS;
      const overdueBefore = new Date(this.clock.now().getTime() - alertAfterDays * DAY_MS);
      const counts = await this.differences.countOpen(tx, installationId, overdueBefore);
      return { ...counts, alertAfterDays, turn };
    });
  }
}
