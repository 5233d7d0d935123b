import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import type { SignedFigure, SignOff } from '../domain/month-end.js';

export interface NewSignOff extends Pick<SignOff, 'signedBy' | 'signedAt' | 'reason' | 'missingEntries' | 'hash'> {
  readonly figures: readonly SignedFigure[];
}

export interface Reopening {
  readonly by: string;
  readonly at: Date;
  readonly reason: string;
}

type Nullable<T> = { readonly [Key in keyof T]: undefined extends T[Key] ? Exclude<T[Key], undefined> | null : T[Key] };
type Row = Nullable<SignOff> & { readonly month: string };

@Injectable()
export class SignOffRepository {
  /** The newest of each month, newest month first. @param month `YYYY-MM`; undefined: every month */
  async listNewest(
    tx: Tx,
    installationId: InstallationId,
    company: ErpCompanyId,
    month?: string,
  ): Promise<ReadonlyMap<string, SignOff>> {
    const rows = await tx.rows<Row>(sql`
      SELECT DISTINCT ON (month) month, sequence, signed_by AS "signedBy", signed_at AS "signedAt", reason,
        missing_entries AS "missingEntries", hash, figures, reopened_by AS "reopenedBy", reopened_at AS "reopenedAt",
        reopening_reason AS "reopeningReason"
      FROM month_sign_off
      WHERE installation_id = ${installationId} AND erp_company_id = ${company}
        AND (${month ?? null}::text IS NULL OR month = ${month ?? null})
      ORDER BY month DESC, sequence DESC`);
    return new Map(
      rows.map(({ month: of, reason, reopenedBy, reopenedAt, reopeningReason, ...rest }) => [
        of,
        {
          ...rest,
          reason: reason ?? undefined,
          reopenedBy: reopenedBy ?? undefined,
          reopenedAt: reopenedAt ?? undefined,
          reopeningReason: reopeningReason ?? undefined,
        },
      ]),
    );
  }

  /** @returns false when the month is signed already */
  async add(
    tx: Tx,
    installationId: InstallationId,
    company: ErpCompanyId,
    month: string,
    { figures, hash, missingEntries, reason, signedBy, signedAt }: NewSignOff,
  ): Promise<boolean> {
    const added = await tx.execute(sql`
      INSERT INTO month_sign_off (installation_id, erp_company_id, month, sequence, figures, hash, missing_entries, reason,
        signed_by, signed_at)
      SELECT ${installationId}, ${company}, ${month}, coalesce(max(sequence), 0) + 1, ${JSON.stringify(figures)}::jsonb, ${hash},
        ${missingEntries}, ${reason ?? null}, ${signedBy}, ${signedAt}
      FROM month_sign_off WHERE installation_id = ${installationId} AND erp_company_id = ${company} AND month = ${month}
      ON CONFLICT DO NOTHING`);
    return added === 1;
  }

  /** @returns false when the month is not signed */
  async reopen(
    tx: Tx,
    installationId: InstallationId,
    company: ErpCompanyId,
    month: string,
    { by, at, reason }: Reopening,
  ): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE month_sign_off SET reopened_by = ${by}, reopened_at = ${at}, reopening_reason = ${reason}
      WHERE installation_id = ${installationId} AND erp_company_id = ${company} AND month = ${month} AND reopened_at IS NULL`);
    return changed === 1;
  }
}
