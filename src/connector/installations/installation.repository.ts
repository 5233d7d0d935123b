import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import {
  toCompanyId,
  toErpCompanyId,
  toInstallationId,
  type CompanyId,
  type ErpCompanyId,
  type InstallationId,
} from '../../kernel/ids.js';
import type { Installation, InstallationState } from './domain/installation.js';

interface InstallationRow {
  readonly id: string;
  readonly platform_company_id: string;
  readonly company_name: string;
  readonly state: InstallationState;
  readonly erp_company_id: string | null;
}

/** What the operator sees of an installation: nothing of its business. */
export interface InstallationSummary {
  readonly id: InstallationId;
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly state: InstallationState;
  readonly createdAt: Date;
}

@Injectable()
export class InstallationRepository {
  /** Row-level security makes this the caller's own installation or nothing. */
  async find(tx: Tx, installationId: InstallationId): Promise<Installation | undefined> {
    const row = await tx.maybeOne<InstallationRow>(sql`
      SELECT id, platform_company_id, company_name, state, erp_company_id FROM installation WHERE id = ${installationId}`);
    return row && toInstallation(row);
  }

  /** Creates the installation, or takes a living one through a renewed consent. */
  async authorise(
    tx: Tx,
    installation: {
      readonly id: InstallationId;
      readonly companyId: CompanyId;
      readonly companyName: string;
      readonly at: Date;
    },
  ): Promise<void> {
    const { id, companyId, companyName, at } = installation;
    await tx.execute(sql`
      INSERT INTO installation (id, platform_company_id, company_name, state, created_at)
      VALUES (${id}, ${companyId}, ${companyName}, 'authorised', ${at})
      ON CONFLICT (id) DO UPDATE SET state = 'authorised', company_name = EXCLUDED.company_name`);
  }

  async linkErpCompany(tx: Tx, installationId: InstallationId, erpCompanyId: ErpCompanyId): Promise<void> {
    await tx.execute(
      sql`UPDATE installation SET erp_company_id = ${erpCompanyId} WHERE id = ${installationId}`,
    );
  }

  async activate(tx: Tx, installationId: InstallationId, at: Date): Promise<void> {
    await tx.execute(sql`
      UPDATE installation SET state = 'active', activated_at = ${at}
      WHERE id = ${installationId} AND state = 'authorised'`);
  }

  async needsReauthorisation(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      UPDATE installation SET state = 'needs_reauthorisation'
      WHERE id = ${installationId} AND state IN ('authorised', 'active')`);
  }

  /** Over all tenants: the living installation of a platform company. */
  async findIdByCompany(tx: Tx, companyId: CompanyId): Promise<InstallationId | undefined> {
    const row = await tx.maybeOne<{ id: string }>(sql`
      SELECT id FROM installation WHERE platform_company_id = ${companyId} AND state <> 'uninstalled'`);
    return row && toInstallationId(row.id);
  }

  /**
   * Over all tenants: takes up to `limit` active installations whose turn it is to be polled, and sets their next turn.
   * @param seconds until the next turn
   */
  async takeDueForPolling(tx: Tx, seconds: number, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      UPDATE installation SET next_poll_at = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE id IN (
        SELECT id FROM installation WHERE state = 'active' AND next_poll_at <= clock_timestamp()
        ORDER BY next_poll_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING id`);
    return rows.map((row) => toInstallationId(row.id));
  }

  /** Over all tenants, newest first. */
  async summaries(tx: Tx, limit: number): Promise<readonly InstallationSummary[]> {
    const rows = await tx.rows<Omit<InstallationRow, 'erp_company_id'> & { readonly created_at: Date }>(sql`
      SELECT id, platform_company_id, company_name, state, created_at
      FROM installation ORDER BY created_at DESC, id LIMIT ${limit}`);
    return rows.map((row) => ({
      id: toInstallationId(row.id),
      companyId: toCompanyId(row.platform_company_id),
      companyName: row.company_name,
      state: row.state,
      createdAt: row.created_at,
    }));
  }
}

function toInstallation(row: InstallationRow): Installation {
  return {
    id: toInstallationId(row.id),
    companyId: toCompanyId(row.platform_company_id),
    companyName: row.company_name,
    state: row.state,
    erpCompanyId: row.erp_company_id === null ? undefined : toErpCompanyId(row.erp_company_id),
  };
}
