import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { ErpMasterData } from '../../erp/erp-ledger.js';
import type { Ownership } from '../../runs/lease.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import { dimensionKey, type KnownCodes } from '../domain/compared-sources.js';
import type { ReconciliationLease } from '../domain/reconciliation-run.js';
import { ReconciliationScheduleRepository } from '../reconciliation-schedule.repository.js';

/** One worker's attempt at one run, with everything that stays the same until its end. */
export interface ReconciliationScope {
  readonly run: ReconciliationLease;
  /** The ERP company that is linked now; a job keeps the one it was posted to. */
  readonly erpCompanyId: ErpCompanyId | undefined;
  /** Of the linked company. */
  readonly codes: KnownCodes;
  /** In the linked company: code of the account that is set for realized exchange discrepancies, if it is active in the ERP. */
  readonly realizedFx: string | undefined;
  /** Fires when the process stops: finish the current chunk, begin no new one. */
  readonly stopping: AbortSignal;
}

@Injectable()
export class LoadReconciliationScope {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationReader: InstallationReader,
    private readonly erpConnections: ErpConnections,
    private readonly mappingReader: MappingReader,
    private readonly reconciliationScheduleRepository: ReconciliationScheduleRepository,
  ) {}

  /**
   * Also keeps the schedule in the time zone of the ERP company.
   * @throws ErpUnavailable
   */
  async load(run: ReconciliationLease, ownership: Ownership): Promise<ReconciliationScope> {
    const installation = await this.installationReader.find(run.installationId);
    const erpCompanyId = installation?.erpCompanyId;
    const erp = erpCompanyId && (await this.erpConnections.open(run.installationId, erpCompanyId));
    const books = (await erp?.reuseMasterData())?.masterData;
    if (books !== undefined) {
      await this.tenantDatabase.inInstallation('store time zone', run.installationId, (tx) =>
        this.reconciliationScheduleRepository.setTimeZone(tx, run.installationId, books.timeZone),
      );
    }
    const settings = (await this.mappingReader.latestSettings(run.installationId))?.settings;
    const realizedFx = activeCode(books, settings?.accounts.realizedFx);
    return { run, erpCompanyId, codes: codesOf(books), realizedFx, stopping: ownership.signal };
  }
}

/** @param reference external id or code, as settings name accounts */
function activeCode(books: ErpMasterData | undefined, reference: string | undefined): string | undefined {
  const active = books?.accounts.filter((account) => account.active) ?? [];
  const found =
    active.find(({ externalId }) => externalId === reference) ?? active.find(({ code }) => code === reference);
  return found?.code;
}

function codesOf(books: ErpMasterData | undefined): KnownCodes {
  return {
    vendors: new Set(books?.vendors.map(({ code }) => code)),
    dimensionValues: new Set(
      books?.dimensions.flatMap(({ code, values }) => values.map((value) => dimensionKey(code, value.code))),
    ),
  };
}
