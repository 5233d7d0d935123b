import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import { decideShare, type ErpRequestLimits, type RequestShare, type ShareRequest } from './domain/request-share.js';

/**
 * A process that stopped without giving its slots back has them no longer than this: less than a lease, so that who takes over
 * its job finds them free.
 */
const SHARE_SECONDS = 8;

/** One process, and the connection whose ERP it makes requests to. */
export interface RequestHolder {
  readonly installationId: InstallationId;
  readonly generation: number;
  /** UUID of the process's share. */
  readonly holder: string;
}

/** Since when and for how long an ERP is called less, or not at all. */
export interface ErpLimitation {
  readonly reason: 'asked-to-wait' | 'no-response';
  /** UTC. */
  readonly until: Date;
}

interface StateRow {
  readonly booked_ms: number;
  readonly paused_ms: number;
  readonly circuit_open_ms: number | null;
  readonly rivals: readonly { readonly slots: number; readonly wanted: number }[];
}

/** Requests to the ERPs, counted on the database's clock. A booking locks the connection's row: one after the other. */
@Injectable()
export class ErpRequestBudgetRepository {
  async takeShare(
    tx: Tx,
    { installationId, generation, holder }: RequestHolder,
    limits: ErpRequestLimits,
    request: ShareRequest,
    maxWaitMs: number,
  ): Promise<RequestShare> {
    const state = await this.lockState(tx, { installationId, generation, holder });
    const share = decideShare(limits, state, request, maxWaitMs);
    if (share.booked > 0 && limits.requestsPerMinute !== undefined) {
      await tx.execute(sql`
        UPDATE erp_request_budget
        SET booked_until = clock_timestamp() + make_interval(secs => ${share.bookedUntilMs / 1_000})
        WHERE installation_id = ${installationId} AND generation = ${generation}`);
    }
    if (share.isTrial && share.circuitOpenMs !== undefined) {
      await tx.execute(sql`
        UPDATE erp_request_budget
        SET circuit_open_until = clock_timestamp() + make_interval(secs => ${share.circuitOpenMs / 1_000})
        WHERE installation_id = ${installationId} AND generation = ${generation}`);
    }
    await tx.execute(sql`
      INSERT INTO erp_request_share (installation_id, generation, holder, slots, wanted, held_until)
      VALUES (${installationId}, ${generation}, ${holder}, ${share.slots}, ${request.wanted},
        clock_timestamp() + make_interval(secs => ${SHARE_SECONDS}))
      ON CONFLICT (installation_id, generation, holder) DO UPDATE
        SET slots = EXCLUDED.slots, wanted = EXCLUDED.wanted, held_until = EXCLUDED.held_until`);
    return share;
  }

  /** Gives the slots of a process back, and removes those of processes that are gone. */
  async endShare(tx: Tx, { installationId, generation, holder }: RequestHolder): Promise<void> {
    await tx.execute(sql`
      DELETE FROM erp_request_share WHERE installation_id = ${installationId} AND generation = ${generation}
        AND (holder = ${holder} OR held_until < clock_timestamp())`);
  }

  /** The ERP has asked for it. @param milliseconds from now on */
  async pause(tx: Tx, { installationId, generation }: RequestHolder, milliseconds: number): Promise<void> {
    await tx.execute(sql`
      INSERT INTO erp_request_budget AS budget (installation_id, generation, paused_until)
      VALUES (${installationId}, ${generation}, clock_timestamp() + make_interval(secs => ${milliseconds / 1_000}))
      ON CONFLICT (installation_id, generation) DO UPDATE
        SET paused_until = greatest(budget.paused_until, EXCLUDED.paused_until)`);
  }

  /** Milliseconds from now on. @param silence in which no process calls the ERP, and as long as which that is shown */
  async markSilent(
    tx: Tx,
    installationId: InstallationId,
    generation: number,
    silence: { readonly openMs: number; readonly shownMs: number },
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO erp_request_budget AS budget (installation_id, generation, circuit_open_until, silent_until)
      VALUES (${installationId}, ${generation}, clock_timestamp() + make_interval(secs => ${silence.openMs / 1_000}),
        clock_timestamp() + make_interval(secs => ${silence.shownMs / 1_000}))
      ON CONFLICT (installation_id, generation) DO UPDATE
        SET circuit_open_until = EXCLUDED.circuit_open_until, silent_until = EXCLUDED.silent_until`);
  }

  async markResponding(tx: Tx, installationId: InstallationId, generation: number): Promise<void> {
    await tx.execute(sql`
      UPDATE erp_request_budget SET silent_until = '-infinity', circuit_open_until = '-infinity'
      WHERE installation_id = ${installationId} AND generation = ${generation}
        AND (circuit_open_until > '-infinity' OR silent_until > clock_timestamp())`);
  }

  /** @returns undefined while the ERP is called as usual */
  async findLimitation(tx: Tx, installationId: InstallationId, generation: number): Promise<ErpLimitation | undefined> {
    return tx.maybeOne<ErpLimitation>(sql`
      SELECT CASE WHEN paused_until > clock_timestamp() THEN 'asked-to-wait' ELSE 'no-response' END AS reason,
        CASE WHEN paused_until > clock_timestamp() THEN paused_until ELSE silent_until END AS until
      FROM erp_request_budget WHERE installation_id = ${installationId} AND generation = ${generation}
        AND greatest(paused_until, silent_until) > clock_timestamp()`);
  }

  private async lockState(tx: Tx, { installationId, generation, holder }: RequestHolder) {
    const lock = () =>
      tx.maybeOne(sql`
        SELECT 1 FROM erp_request_budget
        WHERE installation_id = ${installationId} AND generation = ${generation} FOR UPDATE`);
    if ((await lock()) === undefined) {
      await tx.execute(sql`
        INSERT INTO erp_request_budget (installation_id, generation) VALUES (${installationId}, ${generation})
        ON CONFLICT DO NOTHING`);
      await lock();
    }
    const row = await tx.one<StateRow>(sql`
      SELECT extract(epoch FROM greatest(booked_until, clock_timestamp()) - clock_timestamp())::float8 * 1000 AS booked_ms,
        extract(epoch FROM greatest(paused_until, clock_timestamp()) - clock_timestamp())::float8 * 1000 AS paused_ms,
        CASE WHEN circuit_open_until > '-infinity'
          THEN extract(epoch FROM circuit_open_until - clock_timestamp())::float8 * 1000 END AS circuit_open_ms,
        coalesce((
          SELECT jsonb_agg(jsonb_build_object('slots', slots, 'wanted', wanted)) FROM erp_request_share share
          WHERE share.installation_id = budget.installation_id AND share.generation = budget.generation
            AND holder <> ${holder} AND held_until > clock_timestamp()), '[]') AS rivals
      FROM erp_request_budget budget WHERE installation_id = ${installationId} AND generation = ${generation}`);
    return {
      bookedUntilMs: row.booked_ms,
      pausedUntilMs: row.paused_ms,
      circuitOpenUntilMs: row.circuit_open_ms ?? undefined,
      rivals: row.rivals,
    };
  }
}
