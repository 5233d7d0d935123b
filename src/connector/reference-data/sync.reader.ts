import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { FirstSync } from '../installations/domain/connection-steps.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { ALL_SYNC_KINDS, type SyncAction, type SyncKind } from './domain/sync-plan.js';
import type { RecordOutcome, SyncRecordView, SyncRunView } from './domain/sync-run.js';
import { SYNC_RUNS, SyncRunRepository } from './sync-run.repository.js';
import { parseStoredMessage, message } from '../../kernel/message.js';
import { VendorMatchRepository, type VendorMatchView } from './vendor-match.repository.js';

@Injectable()
export class SyncReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationReader: InstallationReader,
    private readonly syncRunRepository: SyncRunRepository,
    private readonly vendorMatchRepository: VendorMatchRepository,
  ) {}

  /** Progress of the runs that the newest connection requested. */
  async readFirstSync(installationId: InstallationId): Promise<FirstSync> {
    const best = await this.tenantDatabase.readOnce('read first syncs', installationId, (tx) =>
      this.syncRunRepository.bestSinceConnected(tx, installationId, ALL_SYNC_KINDS),
    );
    const failure = best.find(({ isDone }) => !isDone)?.failure ?? undefined;
    return {
      done: best.filter(({ isDone }) => isDone).length === ALL_SYNC_KINDS.length,
      failure:
        failure === undefined
          ? undefined
          : (parseStoredMessage(failure) ?? message('connection.reference-data.failed', { reason: failure })),
    };
  }

  /** Newest first. @param filter `before` is the position of the last run of the page before */
  async listRuns(
    installationId: InstallationId,
    filter: {
      readonly kind: SyncKind | undefined;
      readonly before: bigint | undefined;
      readonly limit: number;
    },
  ): Promise<readonly (SyncRunView & { readonly position: bigint })[]> {
    return this.tenantDatabase.readOnce('list syncs', installationId, (tx) =>
      tx.rows<SyncRunView & { readonly position: bigint }>(sql`
        ${SYNC_RUNS}
        WHERE installation_id = ${installationId} AND (${filter.kind ?? null}::text IS NULL OR kind = ${filter.kind ?? null})
          AND (${filter.before ?? null}::bigint IS NULL OR position < ${filter.before ?? null})
        ORDER BY position DESC LIMIT ${filter.limit}`),
    );
  }

  /** @param id a UUID */
  async findRun(installationId: InstallationId, id: string): Promise<SyncRunView | undefined> {
    return this.tenantDatabase.readOnce('read sync', installationId, (tx) =>
      this.syncRunRepository.find(tx, installationId, id),
    );
  }

  /** What a run changed, plans to change or waits to change, in its order. @param filter `afterSeq` is 0 for the first page */
  async listRecords(
    installationId: InstallationId,
    runId: string,
    filter: {
      readonly outcome: RecordOutcome | undefined;
      readonly action: SyncAction | undefined;
      readonly afterSeq: number;
      readonly limit: number;
    },
  ): Promise<readonly SyncRecordView[]> {
    const { outcome = null, action = null, afterSeq, limit } = filter;
    return this.tenantDatabase.readOnce('list sync records', installationId, (tx) =>
      tx.rows<SyncRecordView>(sql`
        SELECT seq, subject, action, key, name, outcome, detail FROM sync_record
        WHERE installation_id = ${installationId} AND run_id = ${runId} AND seq > ${afterSeq}
          AND (${outcome}::text IS NULL OR outcome = ${outcome})
          AND (${action}::text IS NULL OR action = ${action})
        ORDER BY seq LIMIT ${limit}`),
    );
  }

  /** Vendors of the platform that wait for a person's decision, by id. */
  async listWaitingVendors(
    installationId: InstallationId,
    after: string | undefined,
    limit: number,
  ): Promise<readonly VendorMatchView[]> {
    const installation = await this.installationReader.find(installationId);
    if (installation === undefined) {
      return [];
    }
    const company = { installationId, companyId: installation.companyId };
    return this.tenantDatabase.readOnce('list vendor matches', installationId, (tx) =>
      this.vendorMatchRepository.list(tx, company, after, limit),
    );
  }
}
