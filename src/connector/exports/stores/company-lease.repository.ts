import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import {
  toCompanyId,
  toInstallationId,
  type AccountingEntryId,
  type CompanyId,
  type CompanyKey,
  type InstallationId,
} from '../../../kernel/ids.js';
import type { Lease } from '../../runs/domain/run-lease.js';

/** A company that one worker owns. */
export interface CompanyLease extends Lease {
  readonly companyId: CompanyId;
  /** Identifies the worker's claim. */
  readonly holder: string;
  /** Since a run of exports last ended by itself: how often a claim found the company held by an owner that had died or was frozen. */
  readonly takeovers: number;
  /** At the claim: the item that was last worked on alone, and how many owners ended in the middle of it. */
  readonly suspect: string | undefined;
  readonly suspectDeaths: number;
}

export const LEASE_SECONDS = 10;
/** Longer than the quarter of a lease after which its holder renews it. */
const RELEASE_REQUEST_SECONDS = 5;

/**
 * A job may run: its customer is not paused, or its time for posting is over and its verdict is due. By the database's clock, since it
 * only decides which companies are woken.
 */
const mayRun = sql`(export_job.expires_at <= clock_timestamp() + interval '10 minutes' OR NOT EXISTS (
  SELECT 1 FROM installation WHERE id = export_job.installation_id AND paused_at IS NOT NULL))`;

/** Leases run on the database's clock: replicas' clocks may differ (I31). */
@Injectable()
export class CompanyLeaseRepository {
  /** @returns undefined while another worker owns the company */
  async claim(
    tx: Tx,
    installationId: InstallationId,
    companyId: CompanyId,
    holder: string,
  ): Promise<CompanyLease | undefined> {
    const row = await tx.maybeOne<{ fence: bigint; takeovers: number; suspect: string | null; suspect_deaths: number }>(
      prepared(sql`
      INSERT INTO company_lease (installation_id, company_id, fence, holder, expires_at)
      VALUES (${installationId}, ${companyId}, 1, ${holder}, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
      ON CONFLICT (installation_id, company_id) DO UPDATE
        SET fence = company_lease.fence + 1, holder = EXCLUDED.holder, expires_at = EXCLUDED.expires_at,
          takeovers = company_lease.takeovers + (company_lease.expires_at > '-infinity')::integer,
          suspect_deaths = company_lease.suspect_deaths + company_lease.suspect_begun::integer, suspect_begun = false
        WHERE company_lease.expires_at < clock_timestamp()
      RETURNING fence, takeovers, suspect, suspect_deaths`),
    );
    if (row === undefined) {
      return undefined;
    }
    const { fence, takeovers, suspect, suspect_deaths: suspectDeaths } = row;
    return { installationId, companyId, fence, holder, takeovers, suspect: suspect ?? undefined, suspectDeaths };
  }

  /** Under the lease: an item is worked on alone from now on, so that the end of this worker would be held against it. */
  async suspectItem(tx: Tx, lease: CompanyLease, accountingEntryId: AccountingEntryId): Promise<void> {
    await tx.execute(
      prepared(sql`
      UPDATE company_lease SET suspect = ${accountingEntryId}, suspect_begun = true,
        suspect_deaths = CASE WHEN suspect = ${accountingEntryId} THEN suspect_deaths ELSE 0 END
      WHERE installation_id = ${lease.installationId} AND company_id = ${lease.companyId}`),
    );
  }

  /** Under the lease: no item is worked on alone any more. */
  async clearSuspect(tx: Tx, lease: CompanyLease): Promise<void> {
    await tx.execute(
      prepared(sql`
      UPDATE company_lease SET suspect = NULL, suspect_begun = false, suspect_deaths = 0
      WHERE installation_id = ${lease.installationId} AND company_id = ${lease.companyId}`),
    );
  }

  /** Prevents the next renewal, so that the owner stops at its next safe point. */
  async requestRelease(tx: Tx, installationId: InstallationId, companyId: CompanyId): Promise<void> {
    await tx.execute(sql`
      UPDATE company_lease SET release_requested_until = clock_timestamp() + make_interval(secs => ${RELEASE_REQUEST_SECONDS})
      WHERE installation_id = ${installationId} AND company_id = ${companyId}`);
  }

  /** @returns false when the lease is lost, or another worker has requested its release */
  async renew(tx: Tx, lease: CompanyLease): Promise<boolean> {
    const renewed = await tx.execute(
      prepared(sql`
      UPDATE company_lease SET expires_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      WHERE installation_id = ${lease.installationId} AND company_id = ${lease.companyId}
        AND fence = ${lease.fence} AND holder = ${lease.holder} AND release_requested_until < clock_timestamp()`),
    );
    return renewed === 1;
  }

  /** After other work than exports, which shows nothing of what kills their workers. */
  async release(tx: Tx, lease: CompanyLease): Promise<void> {
    await tx.execute(
      prepared(sql`
      UPDATE company_lease SET expires_at = '-infinity'
      WHERE installation_id = ${lease.installationId} AND company_id = ${lease.companyId}
        AND fence = ${lease.fence} AND holder = ${lease.holder}`),
    );
  }

  /** After exports that ended by themselves: their worker is alive, so nothing is held against any item. */
  async releaseAfterExports(tx: Tx, lease: CompanyLease): Promise<void> {
    await tx.execute(
      prepared(sql`
      UPDATE company_lease SET expires_at = '-infinity', takeovers = 0, suspect = NULL, suspect_begun = false, suspect_deaths = 0
      WHERE installation_id = ${lease.installationId} AND company_id = ${lease.companyId}
        AND fence = ${lease.fence} AND holder = ${lease.holder}`),
    );
  }

  /**
   * Over all tenants: companies with a due job and no owner, at most `limit`, those with the nearest end first.
   */
  async findIdle(tx: Tx, limit: number): Promise<readonly CompanyKey[]> {
    const rows = await tx.rows<{ installation_id: string; company_id: string }>(sql`
      SELECT installation_id, company_id FROM export_job
      WHERE state IN ('detected', 'running', 'verdict_decided') AND next_run_at <= clock_timestamp() AND ${mayRun}
        AND NOT EXISTS (SELECT 1 FROM company_lease lease WHERE lease.installation_id = export_job.installation_id
          AND lease.company_id = export_job.company_id AND lease.expires_at >= clock_timestamp())
      GROUP BY installation_id, company_id ORDER BY min(expires_at), installation_id, company_id LIMIT ${limit}`);
    return rows.map((row) => ({
      installationId: toInstallationId(row.installation_id),
      companyId: toCompanyId(row.company_id),
    }));
  }
}
