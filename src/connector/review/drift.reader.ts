import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { driftFindings, type DriftFinding } from './domain/drift.js';
import { DriftRepository } from './drift.repository.js';

export interface Drift {
  /** Undefined before the first check. */
  readonly checkedAt: Date | undefined;
  readonly findings: readonly DriftFinding[];
}

/** Reads the result of the last drift check. */
@Injectable()
export class DriftReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly driftRepository: DriftRepository,
    private readonly clock: Clock,
  ) {}

  async read(installationId: InstallationId): Promise<Drift> {
    return this.tenantDatabase.inInstallation('read drift', installationId, async (tx) => ({
      checkedAt: await this.driftRepository.lastCheck(tx, installationId),
      findings: driftFindings(await this.driftRepository.seen(tx, installationId), this.clock.now()),
    }));
  }
}
