import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { checkDriftTask } from '../exports/exports.tasks.js';
import { LoadMasterData } from '../mapping/load-master-data.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { WakeDue } from '../runs/wake-due.js';
import { mappedTargets, seenChanges, seeTargets } from './domain/drift.js';
import { DriftRepository } from './drift.repository.js';

const VENDORS_OF_MS = 90 * 24 * 60 * 60 * 1_000;
/** Entries whose vendors are checked, newest first. */
const MAX_ENTRIES = 10_000;

/** Finds what was archived, renamed or blocked in the ERP while the mapping points at it. */
@Injectable()
export class CheckDrift {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly driftRepository: DriftRepository,
    private readonly mappingReader: MappingReader,
    private readonly loadMasterData: LoadMasterData,
    private readonly wakeDue: WakeDue,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns false when there is nothing to compare: no settings, or no company in the ERP
   * @throws ErpUnavailable; the last findings stay then
   */
  async check(installationId: InstallationId): Promise<boolean> {
    await this.tenantDatabase.writeOnce('begin drift check', installationId, (tx) =>
      this.driftRepository.begin(tx, installationId),
    );
    const mapping = await this.mappingReader.latestVersion(installationId);
    const masterData = await this.loadMasterData.loadLately(installationId);
    if (mapping === undefined || masterData === undefined) {
      return false;
    }
    const now = this.clock.now();
    const since = new Date(now.getTime() - VENDORS_OF_MS);
    await this.tenantDatabase.inInstallation('check drift', installationId, async (tx) => {
      await this.driftRepository.lock(tx, installationId);
      const vendors = await this.driftRepository.vendorsSince(tx, installationId, since, MAX_ENTRIES);
      const wanted = mappedTargets(mapping.settings.accounts, mapping.rules, vendors);
      const before = await this.driftRepository.seen(tx, installationId);
      const after = seeTargets(wanted, masterData, before, now);
      await this.driftRepository.recordCheck(tx, installationId, seenChanges(before, after), now);
    });
    return true;
  }

  /** Wakes a worker for each installation whose daily check is due. */
  async wake(): Promise<void> {
    await this.wakeDue.wakeInstallations(
      'drift checks',
      (tx, limit) => this.driftRepository.findDue(tx, limit),
      checkDriftTask,
    );
  }
}
