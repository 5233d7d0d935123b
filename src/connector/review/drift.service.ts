import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpLedger } from '../erp/erp-ledger.js';
import { checkDriftTask } from '../exports/exports.tasks.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { WakeDue } from '../runs/wake-due.js';
import { driftFindings, mappedTargets, seeTargets, type DriftFinding } from './domain/drift.js';
import { DriftRepository } from './drift.repository.js';

export type { DriftFinding } from './domain/drift.js';

const VENDORS_OF_MS = 90 * 24 * 60 * 60 * 1_000;
/** Entries whose vendors are looked at, newest first. */
const MAX_ENTRIES = 10_000;

export interface Drift {
  /** Undefined before the first check. */
  readonly checkedAt: Date | undefined;
  readonly findings: readonly DriftFinding[];
}

/** Warns of what was archived, renamed or blocked in the ERP while the mapping points at it. */
@Injectable()
export class DriftService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly driftRepository: DriftRepository,
    private readonly mappingReader: MappingReader,
    private readonly installationReader: InstallationReader,
    private readonly erpLedger: ErpLedger,
    private readonly wakeDue: WakeDue,
    private readonly clock: Clock,
  ) {}

  /** As the last check has found it. */
  async read(installationId: InstallationId): Promise<Drift> {
    return this.tenantDatabase.inInstallation('read drift', installationId, async (tx) => ({
      checkedAt: await this.driftRepository.lastCheck(tx, installationId),
      findings: driftFindings(await this.driftRepository.seen(tx, installationId), this.clock.now()),
    }));
  }

  /**
   * Compares now.
   * @returns false when there is nothing to compare: no settings, or no company in the ERP
   * @throws ErpUnavailable; the last findings stay then
   */
  async check(installationId: InstallationId): Promise<boolean> {
    await this.tenantDatabase.inInstallation('begin drift check', installationId, (tx) =>
      this.driftRepository.begin(tx, installationId),
    );
    const mapping = await this.mappingReader.latestVersion(installationId);
    const company = (await this.installationReader.find(installationId))?.erpCompanyId;
    const books = company && (await this.erpLedger.loadMasterData(company));
    if (mapping === undefined || books === undefined) {
      return false;
    }
    const now = this.clock.now();
    const since = new Date(now.getTime() - VENDORS_OF_MS);
    await this.tenantDatabase.inInstallation('check drift', installationId, async (tx) => {
      const vendors = await this.driftRepository.vendorsSince(tx, installationId, since, MAX_ENTRIES);
      const wanted = mappedTargets(mapping.settings.accounts, mapping.rules, vendors);
      const before = await this.driftRepository.seen(tx, installationId);
      await this.driftRepository.save(tx, installationId, seeTargets(wanted, books, before, now), now);
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
