import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { InstallationRepository } from '../../installations/installation.repository.js';
import { readRateFile, type RateFileProblem } from './rate-file.js';
import { RateTableRepository, type RateTable } from './rate-table.repository.js';

export type StoreRatesResult =
  | { readonly outcome: 'stored'; readonly table: RateTable }
  | { readonly outcome: 'invalid'; readonly problem: RateFileProblem }
  /** Another person has saved rates in the meantime. */
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'not-installed' };

/** Exchange rates for an accounting system that has none. */
@Injectable()
export class StoreRates {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly rateTableRepository: RateTableRepository,
    private readonly installationRepository: InstallationRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param seen version that is replaced, 0 before the first upload
   * @param csv takes the place of what was uploaded before
   * @param by the person, for the audit log
   */
  async store(installationId: InstallationId, seen: number, csv: string, by: string): Promise<StoreRatesResult> {
    const rates = readRateFile(csv);
    if ('detail' in rates) {
      return { outcome: 'invalid', problem: rates };
    }
    const table = { version: seen + 1, rates, uploadedBy: by, uploadedAt: this.clock.now() };
    return this.tenantDatabase.inInstallation('store rates', installationId, async (tx) => {
      if (!(await this.installationRepository.lockActive(tx, installationId))) {
        return { outcome: 'not-installed' };
      }
      const isSaved = await this.rateTableRepository.saveVersion(tx, installationId, table);
      return isSaved ? { outcome: 'stored', table } : { outcome: 'stale' };
    });
  }

  /** @returns undefined before the first upload */
  async find(installationId: InstallationId): Promise<RateTable | undefined> {
    return this.tenantDatabase.readOnce('find rates', installationId, (tx) =>
      this.rateTableRepository.find(tx, installationId),
    );
  }
}
