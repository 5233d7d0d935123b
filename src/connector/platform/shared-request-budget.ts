import { sql } from '../../foundation/database/sql.js';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Clock } from '../../kernel/clock.js';
import { BudgetSpent, RequestBudget } from './request-budget.js';

/** Share of a minute's requests that may be made at once; the rest comes evenly, so that no minute has more than all. */
const BURST_SHARE = 0.2;
/** Longest queue in front of a request; who would wait longer plans anew. */
const LONGEST_WAIT_SECONDS = 30;

/**
 * One budget for all processes that use the same platform client, kept in the database and on its clock: each request
 * books the next free moment (generic cell rate algorithm). A burst of one tenant therefore delays the others by the few
 * requests it has under way, not by all it will make.
 */
export class SharedRequestBudget extends RequestBudget {
  /** Between two requests when the burst is used up. */
  private readonly spacingSeconds: number;
  private readonly burstSeconds: number;

  /** @param perMinute most requests in any minute (Integration API, recommended 500) */
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly options: { readonly clientId: string; readonly perMinute: number },
  ) {
    super();
    this.spacingSeconds = 60 / (options.perMinute * (1 - BURST_SHARE));
    this.burstSeconds = options.perMinute * BURST_SHARE * this.spacingSeconds;
  }

  override async take(): Promise<void> {
    const row = await this.database.withoutInstallation('take request', (tx) =>
      tx.maybeOne<{ readonly wait: number }>(sql`
        INSERT INTO request_budget AS budget (client_id, booked_until)
        VALUES (${this.options.clientId}, clock_timestamp() + make_interval(secs => ${this.spacingSeconds}))
        ON CONFLICT (client_id) DO UPDATE
          SET booked_until = greatest(budget.booked_until, clock_timestamp()) + make_interval(secs => ${this.spacingSeconds})
          WHERE budget.booked_until < clock_timestamp()
            + make_interval(secs => ${this.burstSeconds + LONGEST_WAIT_SECONDS})
        RETURNING extract(epoch FROM booked_until - clock_timestamp())::float8 - ${this.burstSeconds}::float8 AS wait`),
    );
    if (row === undefined) {
      const wait = LONGEST_WAIT_SECONDS.toString();
      throw new BudgetSpent(`the platform's request budget is booked out for the next ${wait} s`);
    }
    if (row.wait > 0) {
      await this.clock.sleep(row.wait * 1_000);
    }
  }

  override async holdBack(milliseconds: number): Promise<void> {
    const seconds = Math.min(milliseconds / 1_000, LONGEST_WAIT_SECONDS) + this.burstSeconds;
    await this.database.withoutInstallation('hold requests back', (tx) =>
      tx.execute(sql`
        UPDATE request_budget
        SET booked_until = greatest(booked_until, clock_timestamp() + make_interval(secs => ${seconds}))
        WHERE client_id = ${this.options.clientId}`),
    );
  }
}
