import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import {
  toCompanyId,
  toErpCompanyId,
  toInstallationId,
  type CompanyId,
  type ErpCompanyId,
  type InstallationId,
} from '../../kernel/ids.js';
import type { Message } from '../../kernel/message.js';
import type { AccessLevel, Installation, InstallationState } from './domain/installation.js';

interface InstallationRow {
  readonly id: string;
  readonly platform_company_id: string;
  readonly company_name: string;
  readonly state: InstallationState;
  readonly erp_company_id: string | null;
  readonly platform_organization_id: string | null;
  readonly access_level: AccessLevel;
  readonly generation: number;
  readonly connection_problem: Message | null;
  readonly connection_failed_at: Date | null;
  readonly paused_at: Date | null;
  readonly pause_reason: string | null;
}

/** Another installation posts to this ERP company: each ERP company is linked to one platform company (P9.2). */
export class ErpCompanyAlreadyLinked extends Error {
  override readonly name = 'ErpCompanyAlreadyLinked';
}

/** The company that a credential connects. */
export interface ConnectedCompany {
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly organizationId?: string | undefined;
  readonly accessLevel?: AccessLevel | undefined;
}

/** An installation that is due: `active` to be polled, `authorized` to have its connection finished. */
export interface DueInstallation {
  readonly id: InstallationId;
  readonly state: 'authorized' | 'active';
}

/** Seconds until a poll that was begun, and may have failed or died, is due again. */
const REPEAT_SECONDS = 60;
/** Seconds until an unfinished connection is retried; its own task has ended by then. */
const FINISH_AGAIN_SECONDS = 120;

@Injectable()
export class InstallationRepository {
  /** @returns undefined for an id that does not exist, or, by row-level security, belongs to another tenant */
  async find(tx: Tx, installationId: InstallationId): Promise<Installation | undefined> {
    const row = await tx.maybeOne<InstallationRow>(
      prepared(sql`
      SELECT id, platform_company_id, company_name, state, erp_company_id, platform_organization_id, access_level,
        generation, connection_problem, connection_failed_at, paused_at, pause_reason
      FROM installation WHERE id = ${installationId}`),
    );
    return row && toInstallation(row);
  }

  /**
   * Creates the installation, records a renewed consent, or restores an uninstalled one as its next generation with the
   * configuration it had.
   */
  async authorize(tx: Tx, installation: ConnectedCompany & { readonly id: InstallationId }): Promise<void> {
    const { id, companyId, companyName, organizationId = null, accessLevel = 'company' } = installation;
    await tx.execute(sql`
      INSERT INTO installation (id, platform_company_id, company_name, platform_organization_id, access_level, state,
        created_at, next_poll_at)
      VALUES (${id}, ${companyId}, ${companyName}, ${organizationId}, ${accessLevel}, 'authorized',
        clock_timestamp(), clock_timestamp() + make_interval(secs => ${FINISH_AGAIN_SECONDS}))
      ON CONFLICT (id) DO UPDATE
        SET state = 'authorized', company_name = EXCLUDED.company_name, next_poll_at = EXCLUDED.next_poll_at,
          platform_organization_id = coalesce(EXCLUDED.platform_organization_id, installation.platform_organization_id),
          access_level = EXCLUDED.access_level, uninstalled_at = NULL, connection_problem = NULL,
          connection_failed_at = NULL,
          generation = installation.generation + CASE installation.state WHEN 'uninstalled' THEN 1 ELSE 0 END`);
  }

  /** Uninstalling waits for this transaction. @returns whether it exists and is not uninstalled */
  async lockActive(tx: Tx, installationId: InstallationId): Promise<boolean> {
    const row = await tx.maybeOne<{ state: InstallationState }>(sql`
      SELECT state FROM installation WHERE id = ${installationId} FOR NO KEY UPDATE`);
    return row !== undefined && row.state !== 'uninstalled';
  }

  /**
   * @param ref the company's name in our records
   * @throws ErpCompanyAlreadyLinked; the earlier link stays, as the transaction is rolled back
   */
  async linkErpCompany(
    tx: Tx,
    installationId: InstallationId,
    { system, company }: { readonly system: string; readonly company: ErpCompanyId },
    ref: ErpCompanyId,
  ): Promise<void> {
    await tx.execute(sql`DELETE FROM erp_company_link WHERE installation_id = ${installationId}`);
    // The key of the table sees every tenant's link, which row-level security hides from the application.
    const linked = await tx.execute(sql`
      INSERT INTO erp_company_link (erp_system, erp_company_id, installation_id)
      VALUES (${system}, ${company}, ${installationId})
      ON CONFLICT (erp_system, erp_company_id) DO NOTHING`);
    if (linked === 0) {
      throw new ErpCompanyAlreadyLinked(`the ERP company ${company} belongs to another installation`);
    }
    await tx.execute(sql`UPDATE installation SET erp_company_id = ${ref} WHERE id = ${installationId}`);
  }

  async unlinkErpCompany(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`DELETE FROM erp_company_link WHERE installation_id = ${installationId}`);
    await tx.execute(sql`UPDATE installation SET erp_company_id = NULL WHERE id = ${installationId}`);
  }

  async activate(tx: Tx, installationId: InstallationId, at: Date): Promise<void> {
    await tx.execute(sql`
      UPDATE installation SET state = 'active', activated_at = ${at}, next_poll_at = clock_timestamp(),
        connection_problem = NULL, connection_failed_at = NULL
      WHERE id = ${installationId} AND state = 'authorized'`);
  }

  /** Unless another attempt has connected it meanwhile, or it was uninstalled. @param problem for the customer's administrator */
  async recordProblem(tx: Tx, installationId: InstallationId, problem: Message): Promise<void> {
    await tx.execute(sql`
      UPDATE installation SET connection_problem = ${JSON.stringify(problem)}::jsonb, connection_failed_at = clock_timestamp()
      WHERE id = ${installationId} AND state IN ('authorized', 'needs_reauthorization')`);
  }

  /** @returns false when it was uninstalled before */
  async uninstall(tx: Tx, installationId: InstallationId): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE installation SET state = 'uninstalled', uninstalled_at = clock_timestamp(), connection_problem = NULL,
        connection_failed_at = NULL
      WHERE id = ${installationId} AND state <> 'uninstalled'`);
    await tx.execute(sql`DELETE FROM erp_company_link WHERE installation_id = ${installationId}`);
    // Sealed with the key that is deleted now: it could never be read again.
    await tx.execute(sql`DELETE FROM erp_value WHERE installation_id = ${installationId}`);
    await tx.execute(
      sql`UPDATE erp_connection SET store_number = store_number + 1 WHERE installation_id = ${installationId}`,
    );
    const disconnected = await tx.execute(sql`
      UPDATE erp_connection SET ended_at = clock_timestamp() WHERE installation_id = ${installationId} AND ended_at IS NULL`);
    if (disconnected > 0) {
      await tx.execute(sql`UPDATE installation SET erp_company_id = NULL WHERE id = ${installationId}`);
    }
    await tx.execute(sql`DELETE FROM api_token WHERE installation_id = ${installationId}`);
    // Their sessions are deleted with them. The person who reconnects the company is the admin of the next generation.
    await tx.execute(sql`DELETE FROM member WHERE installation_id = ${installationId}`);
    await this.disableAlerts(tx, installationId);
    return changed === 1;
  }

  /**
   * The store of a connection was emptied with the uninstall, and may have had them. Storing one again is safe elsewhere: the
   * same bytes are one document.
   */
  async forgetStoredReceipts(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      DELETE FROM receipt WHERE installation_id = ${installationId} AND document_id IS NOT NULL`);
  }

  /** The recipients get no further message, and none of the waiting ones if the company reconnects. */
  private async disableAlerts(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      UPDATE alert_setting SET version = version + 1, channel = 'off', address = NULL, sealed_address = NULL,
        webhook_secret = NULL
      WHERE installation_id = ${installationId} AND channel <> 'off'`);
    await tx.execute(sql`
      WITH message AS (
        INSERT INTO alert_message (installation_id, id, created_at, next_try_at)
        SELECT ${installationId}, gen_random_uuid(), clock_timestamp(), clock_timestamp()
        WHERE EXISTS (SELECT FROM alert WHERE installation_id = ${installationId} AND message_id IS NULL)
        RETURNING id)
      UPDATE alert SET message_id = message.id FROM message
      WHERE installation_id = ${installationId} AND message_id IS NULL`);
    await tx.execute(sql`
      UPDATE alert_message SET given_up_at = clock_timestamp(), problem = 'the connector was uninstalled'
      WHERE installation_id = ${installationId} AND sent_at IS NULL AND given_up_at IS NULL`);
  }

  /** Over all tenants: whether another installation of the organization is not uninstalled. */
  async hasSiblings(tx: Tx, installationId: InstallationId, organizationId: string): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT 1 FROM installation
      WHERE platform_organization_id = ${organizationId} AND id <> ${installationId} AND state <> 'uninstalled' LIMIT 1`);
    return rows.length > 0;
  }

  /** Over all tenants. @returns null where the platform has not named the organization, undefined for no connected company */
  async findOrganizationOf(tx: Tx, companyId: CompanyId): Promise<string | null | undefined> {
    const row = await tx.maybeOne<{ platform_organization_id: string | null }>(sql`
      SELECT platform_organization_id FROM installation
      WHERE platform_company_id = ${companyId} AND state <> 'uninstalled'`);
    return row?.platform_organization_id;
  }

  async markNeedsReauthorization(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      UPDATE installation SET state = 'needs_reauthorization'
      WHERE id = ${installationId} AND state IN ('authorized', 'active')`);
    // The recipient of alerts gets this one at once.
    await tx.execute(sql`
      UPDATE alert_setting SET next_check_at = clock_timestamp() WHERE installation_id = ${installationId}`);
  }

  /** Over all tenants: the connected installation of a platform company, else the newest uninstalled one. */
  async findIdByCompany(tx: Tx, companyId: CompanyId): Promise<InstallationId | undefined> {
    const row = await tx.maybeOne<{ id: string }>(sql`
      SELECT id FROM installation WHERE platform_company_id = ${companyId}
      ORDER BY (state <> 'uninstalled') DESC, created_at DESC, id LIMIT 1`);
    return row && toInstallationId(row.id);
  }

  /** As `findIdByCompany`, without uninstalled ones. */
  async findActiveIdByCompany(tx: Tx, companyId: CompanyId): Promise<InstallationId | undefined> {
    const row = await tx.maybeOne<{ id: string }>(sql`
      SELECT id FROM installation WHERE platform_company_id = ${companyId} AND state <> 'uninstalled'`);
    return row && toInstallationId(row.id);
  }

  /**
   * Over all tenants: claims up to `limit` due installations. Each is due again soon unless `endPoll` sets another time, so
   * that a lost poll costs a minute.
   */
  async claimDue(tx: Tx, limit: number): Promise<readonly DueInstallation[]> {
    const rows = await tx.rows<{ id: string; state: DueInstallation['state'] }>(sql`
      UPDATE installation SET next_poll_at = clock_timestamp() + make_interval(
        secs => CASE state WHEN 'active' THEN ${REPEAT_SECONDS}::int ELSE ${FINISH_AGAIN_SECONDS}::int END)
      WHERE id IN (
        SELECT id FROM installation WHERE state IN ('authorized', 'active') AND next_poll_at <= clock_timestamp()
        ORDER BY next_poll_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING id, state`);
    return rows.map(({ id, state }) => ({ id: toInstallationId(id), state }));
  }

  /** Makes the installation due now: a job may wait on the platform. */
  async schedulePollSoon(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      UPDATE installation SET next_poll_at = clock_timestamp()
      WHERE id = ${installationId} AND state = 'active' AND next_poll_at > clock_timestamp()`);
  }

  /** @returns the time to pass to `endPoll`: a hint during the poll moves the next poll, and must not be overwritten */
  async beginPoll(tx: Tx, installationId: InstallationId): Promise<Date | undefined> {
    const row = await tx.maybeOne<{ next_poll_at: Date }>(
      prepared(sql`
      UPDATE installation
      SET next_poll_at = date_trunc('milliseconds', clock_timestamp() + make_interval(secs => ${REPEAT_SECONDS}))
      WHERE id = ${installationId} RETURNING next_poll_at`),
    );
    return row?.next_poll_at;
  }

  /**
   * Sets the next poll, unless a hint during this poll has moved it.
   * @param begun what `beginPoll` returned
   * @param seconds until the next poll
   */
  async endPoll(tx: Tx, installationId: InstallationId, begun: Date | undefined, seconds: number): Promise<void> {
    await tx.execute(
      prepared(sql`
      UPDATE installation SET next_poll_at = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE id = ${installationId} AND next_poll_at = ${begun ?? null}`),
    );
  }

  /**
   * Over all tenants: the webhook intake is up.
   * @returns seconds since the heartbeat before; undefined the first time
   */
  async recordIntakeHeartbeat(tx: Tx): Promise<number | undefined> {
    const { gap } = await tx.one<{ gap: number | null }>(sql`
      WITH before AS (SELECT last_beat_at FROM intake_heartbeat)
      INSERT INTO intake_heartbeat (last_beat_at) VALUES (clock_timestamp())
      ON CONFLICT (singleton) DO UPDATE SET last_beat_at = EXCLUDED.last_beat_at
      RETURNING (SELECT extract(epoch FROM clock_timestamp() - last_beat_at)::float8 FROM before) AS gap`);
    return gap ?? undefined;
  }

  /**
   * Over all tenants: every active installation is due within so many seconds, spread evenly over them because of the
   * request budget.
   */
  async schedulePollsWithin(tx: Tx, seconds: number): Promise<void> {
    await tx.execute(sql`
      UPDATE installation
      SET next_poll_at = least(next_poll_at, clock_timestamp() + make_interval(secs => random() * ${seconds}::int))
      WHERE state = 'active'`);
  }
}

function toInstallation(row: InstallationRow): Installation {
  return {
    id: toInstallationId(row.id),
    companyId: toCompanyId(row.platform_company_id),
    companyName: row.company_name,
    organizationId: row.platform_organization_id ?? undefined,
    accessLevel: row.access_level,
    state: row.state,
    generation: row.generation,
    pause:
      row.paused_at === null || row.pause_reason === null ? undefined : { reason: row.pause_reason, at: row.paused_at },
    problem:
      row.connection_problem === null || row.connection_failed_at === null
        ? undefined
        : { detail: row.connection_problem, at: row.connection_failed_at },
    erpCompanyId: row.erp_company_id === null ? undefined : toErpCompanyId(row.erp_company_id),
  };
}
