import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { isUuid, type InstallationId } from '../../kernel/ids.js';
import type { Message } from '../../kernel/message.js';
import type { InstallationState } from '../installations/domain/installation.js';

/** What a customer may need an operator for. */
export const CONCERNS = [
  'near-expiry',
  'stuck',
  'uncertain',
  'failed-tasks',
  'discrepancies',
  'authorization-lost',
  'paused',
] as const;
export type Concern = (typeof CONCERNS)[number];

/** Of jobs that have not ended: no worker has worked on it for five minutes though it was due, or it fails again and again. */
const isStuck = sql`(job.next_run_at < clock_timestamp() - interval '5 minutes' AND NOT EXISTS (
    SELECT 1 FROM company_lease lease WHERE lease.installation_id = job.installation_id AND lease.company_id = job.company_id
      AND lease.expires_at >= clock_timestamp()) OR job.pauses >= 5)`;
const isOpen = sql`job.state IN ('detected', 'running', 'verdict_decided')`;
const isNearExpiry = sql`job.expires_at < clock_timestamp() + interval '15 minutes'`;

/** Most that is counted of one thing of one customer. */
const MAX_COUNT = 1_000;

/** Whose they are, by an index of what is open. */
const CONCERNED: Readonly<Record<Concern, SqlStatement>> = {
  'near-expiry': sql`SELECT installation_id FROM export_job job WHERE ${isOpen} AND ${isNearExpiry}`,
  stuck: sql`SELECT installation_id FROM export_job job WHERE ${isOpen} AND ${isStuck}`,
  uncertain: sql`SELECT DISTINCT installation_id FROM uncertain_posting`,
  'failed-tasks': sql`SELECT DISTINCT installation_id FROM failed_task`,
  discrepancies: sql`SELECT DISTINCT installation_id FROM discrepancy WHERE state = 'open'`,
  'authorization-lost': sql`SELECT id FROM installation WHERE state = 'needs_reauthorization' UNION
    SELECT installation_id FROM erp_connection WHERE state = 'needs-reauthorization' AND ended_at IS NULL`,
  paused: sql`SELECT id FROM installation WHERE paused_at IS NOT NULL`,
};

export interface CustomerSummary {
  readonly id: InstallationId;
  readonly companyId: string;
  readonly companyName: string;
  readonly state: InstallationState;
  readonly pausedAt: Date | null;
  readonly openJobs: number;
  readonly stuckJobs: number;
  /** By the platform's clock. */
  readonly nearestExpiry: Date | null;
  /** Each at most 1,000. */
  readonly uncertainPostings: number;
  readonly failedTasks: number;
  readonly discrepancies: number;
  readonly authorizationLost: boolean;
  readonly lastExportAt: Date | null;
  readonly lastExportState: string | null;
}

export interface CustomerJob {
  readonly id: string;
  readonly state: 'detected' | 'running' | 'verdict_decided';
  readonly items: number;
  readonly successful: number;
  readonly failed: number;
  readonly detectedAt: Date;
  readonly expiresAt: Date;
  /** Until the platform closes it; negative when it should have. */
  readonly secondsLeft: number;
  readonly attempts: number;
  readonly nextRunAt: Date;
  readonly stuck: boolean;
}

export interface CustomerDetail extends CustomerSummary {
  readonly pause: { readonly at: Date; readonly by: string; readonly reason: string } | null;
  readonly connectionProblem: Message | null;
  /** Whether a member may administer it; a company that was connected by API key has none at first. */
  readonly hasAdmin: boolean;
  readonly erp: {
    readonly kind: string;
    readonly state: 'ok' | 'needs-reauthorization';
    readonly problem: string | null;
  } | null;
  /** At most a hundred, the nearest end first. */
  readonly jobs: readonly CustomerJob[];
}

export interface CustomerFilter {
  /** Part of the name, whatever its case; or the id of the installation or of its company. */
  readonly search: string | undefined;
  readonly concern: Concern | undefined;
  /** The last one of the page before. */
  readonly after: { readonly id: string } | undefined;
  readonly limit: number;
}

/** What the operator sees of customers: how they are, and no business data. */
@Injectable()
export class CustomerReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Customers that are not uninstalled, by name. */
  async list(filter: CustomerFilter): Promise<readonly CustomerSummary[]> {
    return this.tenantDatabase.acrossInstallations('list customers', async (tx) => {
      await byIndex(tx);
      return tx.rows<CustomerSummary>(customersPage(filter));
    });
  }

  /** @returns undefined for an id that does not exist */
  async find(installationId: InstallationId): Promise<CustomerDetail | undefined> {
    return this.tenantDatabase.inInstallation('look at customer', installationId, async (tx) => {
      const found = await tx.maybeOne<CustomerDetail>(sql`
        SELECT id, platform_company_id AS "companyId", company_name AS "companyName", state, paused_at AS "pausedAt",
          CASE WHEN paused_at IS NOT NULL THEN json_build_object('at', paused_at, 'by', paused_by, 'reason', pause_reason) END AS pause,
          connection_problem AS "connectionProblem",
          EXISTS (SELECT 1 FROM member WHERE installation_id = ${installationId} AND role = 'admin' AND removed_at IS NULL) AS "hasAdmin",
          (SELECT json_build_object('kind', kind, 'state', state, 'problem', problem) FROM erp_connection
            WHERE installation_id = ${installationId} AND ended_at IS NULL) AS erp, figures.*
        FROM installation CROSS JOIN LATERAL (${figuresOf(sql`installation.id`)}) figures
        WHERE id = ${installationId}`);
      const jobs = await tx.rows<CustomerJob>(sql`
        SELECT id, state, number_of_items AS items, successful_items AS successful, failed_items AS failed,
          detected_at AS "detectedAt", expires_at AS "expiresAt", attempts, next_run_at AS "nextRunAt",
          floor(extract(epoch FROM expires_at - clock_timestamp()))::int AS "secondsLeft", ${isStuck} AS stuck
        FROM export_job job WHERE installation_id = ${installationId} AND ${isOpen} ORDER BY expires_at, id LIMIT 100`);
      return found && { ...found, jobs };
    });
  }
}

/** One page of the list. Planned with `enable_seqscan = off`. */
export function customersPage({ search, concern, after, limit }: CustomerFilter): SqlStatement {
  return sql`
  SELECT customer.*, figures.* FROM (
    SELECT id, platform_company_id AS "companyId", company_name AS "companyName", state, paused_at AS "pausedAt"
    FROM installation
    WHERE state <> 'uninstalled' AND ${matches(search)} AND ${concerned(concern)} AND ${behind(after)}
    ORDER BY lower(company_name) COLLATE "C", id LIMIT ${limit}
  ) customer CROSS JOIN LATERAL (${figuresOf(sql`customer.id`)}) figures
    ORDER BY lower(customer."companyName") COLLATE "C", customer.id`;
}

/** Planned while tables are small and used when they have grown: every part has an index, and none reads a table as a whole. */
async function byIndex(tx: Tx): Promise<void> {
  await tx.execute(sql`SET LOCAL enable_seqscan = off`);
}

function matches(search: string | undefined): SqlStatement {
  if (search === undefined) {
    return sql`true`;
  }
  return isUuid(search)
    ? sql`(id = ${search} OR platform_company_id = ${search})`
    : sql`strpos(lower(company_name), lower(${search})) > 0`;
}

/** As an array, so that the planner takes them one by one through the key. */
function concerned(concern: Concern | undefined): SqlStatement {
  return concern === undefined ? sql`true` : sql`id = ANY (ARRAY (${CONCERNED[concern]}))`;
}

function behind(after: CustomerFilter['after']): SqlStatement {
  return after === undefined
    ? sql`true`
    : sql`(lower(company_name) COLLATE "C", id) > (
        (SELECT lower(last.company_name) FROM installation last WHERE last.id = ${after.id}) COLLATE "C", ${after.id}::uuid)`;
}

/** Each by an index that begins with the installation. */
function figuresOf(id: SqlStatement): SqlStatement {
  return sql`
    SELECT open.jobs AS "openJobs", open.stuck AS "stuckJobs", open.nearest AS "nearestExpiry",
      (SELECT count(*)::int FROM (SELECT 1 FROM uncertain_posting WHERE installation_id = ${id} LIMIT ${MAX_COUNT}) t)
        AS "uncertainPostings",
      (SELECT count(*)::int FROM (SELECT 1 FROM failed_task WHERE installation_id = ${id} LIMIT ${MAX_COUNT}) t) AS "failedTasks",
      (SELECT count(*)::int FROM (SELECT 1 FROM discrepancy WHERE installation_id = ${id} AND state = 'open' LIMIT ${MAX_COUNT}) t)
        AS discrepancies,
      (SELECT state = 'needs_reauthorization' FROM installation WHERE installation.id = ${id}) OR EXISTS (
        SELECT 1 FROM erp_connection WHERE installation_id = ${id} AND ended_at IS NULL AND state = 'needs-reauthorization')
        AS "authorizationLost",
      last.detected_at AS "lastExportAt", last.state AS "lastExportState"
    FROM (
      SELECT count(*)::int AS jobs, count(*) FILTER (WHERE ${isStuck})::int AS stuck, min(expires_at) AS nearest
      FROM export_job job WHERE installation_id = ${id} AND ${isOpen}
    ) open LEFT JOIN LATERAL (
      SELECT detected_at, state FROM export_job WHERE installation_id = ${id} ORDER BY detected_at DESC, id LIMIT 1
    ) last ON true`;
}
