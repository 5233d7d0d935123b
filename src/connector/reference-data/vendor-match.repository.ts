import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { CompanyKey } from '../../kernel/ids.js';
import type { VendorDecision, WaitingReason } from './domain/link-vendors.js';
import type { WaitingVendor } from './domain/plan-vendors.js';

/** A vendor of the ERP as a person compares it. */
export interface VendorCandidate {
  readonly number: string;
  readonly name: string;
  readonly country: string | null;
  readonly taxNumber: string | null;
  readonly usable: boolean;
}

/** A vendor of the platform that waits for a person. */
export interface VendorMatchView {
  readonly platformVendorId: string;
  readonly name: string;
  readonly reason: WaitingReason;
  readonly detail: string | null;
  readonly candidates: readonly VendorCandidate[];
  readonly changedAt: Date;
}

@Injectable()
export class VendorMatchRepository {
  /** What was decided and is not carried out yet, by the platform's vendor id. */
  async listDecisions(tx: Tx, { installationId, companyId }: CompanyKey): Promise<ReadonlyMap<string, VendorDecision>> {
    const rows = await tx.rows<{
      readonly id: string;
      readonly decision: VendorDecision['decision'];
      readonly number: string | null;
    }>(sql`
      SELECT platform_vendor_id AS id, decision, erp_vendor_number AS number FROM vendor_match
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND state = 'decided'`);
    return new Map(rows.map(({ id, decision, number }) => [id, decisionOf(decision, number)]));
  }

  /** Decides, whether or not the vendor waited. */
  async decide(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    vendor: { readonly id: string; readonly name: string },
    decision: VendorDecision,
    by: string,
  ): Promise<void> {
    const number = decision.decision === 'link' ? decision.number : null;
    await tx.execute(sql`
      INSERT INTO vendor_match (installation_id, company_id, platform_vendor_id, name, state, decision, erp_vendor_number,
        decided_by, changed_at)
      VALUES (${installationId}, ${companyId}, ${vendor.id}, ${vendor.name}, 'decided', ${decision.decision}, ${number},
        ${by}, clock_timestamp())
      ON CONFLICT (installation_id, company_id, platform_vendor_id) DO UPDATE
        SET state = 'decided', reason = NULL, detail = NULL, decision = EXCLUDED.decision,
          erp_vendor_number = EXCLUDED.erp_vendor_number, decided_by = EXCLUDED.decided_by,
          changed_at = EXCLUDED.changed_at`);
  }

  /** Decides that the vendor is to be created, unless something was decided already. */
  async intendCreation(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    vendor: { readonly id: string; readonly name: string },
    by: string,
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO vendor_match (installation_id, company_id, platform_vendor_id, name, state, decision, decided_by, changed_at)
      VALUES (${installationId}, ${companyId}, ${vendor.id}, ${vendor.name}, 'decided', 'create', ${by}, clock_timestamp())
      ON CONFLICT (installation_id, company_id, platform_vendor_id) DO UPDATE
        SET state = 'decided', reason = NULL, detail = NULL, decision = 'create', decided_by = EXCLUDED.decided_by,
          changed_at = EXCLUDED.changed_at
        WHERE vendor_match.state = 'waiting'`);
  }

  /**
   * Has a vendor created that waits, so that nothing else is decided about it meanwhile.
   * @returns false where something else was decided already
   */
  async claimCreation(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    vendorId: string,
    by: string,
  ): Promise<boolean> {
    await tx.execute(sql`
      UPDATE vendor_match SET state = 'decided', reason = NULL, detail = NULL, decision = 'create', decided_by = ${by},
        changed_at = clock_timestamp()
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND platform_vendor_id = ${vendorId}
        AND state = 'waiting'`);
    const other = await tx.maybeOne(sql`
      SELECT 1 FROM vendor_match
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND platform_vendor_id = ${vendorId}
        AND decision <> 'create'`);
    return other === undefined;
  }

  /** Takes back the decision to create the vendor, if `by` made it. */
  async withdrawCreation(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    vendorId: string,
    by: string,
  ): Promise<void> {
    await tx.execute(sql`
      DELETE FROM vendor_match
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND platform_vendor_id = ${vendorId}
        AND decision = 'create' AND decided_by = ${by}`);
  }

  /**
   * Lets vendors wait for a person.
   * @param tried of these a decision could not be carried out; what was decided about others meanwhile stays
   */
  async markWaiting(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    waiting: readonly WaitingVendor[],
    tried: readonly string[],
  ): Promise<void> {
    const rows = waiting.map(({ platformVendorId, name, reason, candidates }) => ({
      id: platformVendorId,
      name,
      reason,
      candidates: candidates.map(candidateOf),
    }));
    await tx.execute(sql`
      INSERT INTO vendor_match (installation_id, company_id, platform_vendor_id, name, state, reason, candidates, changed_at)
      SELECT ${installationId}::uuid, ${companyId}::uuid, fresh.id, fresh.name, 'waiting', fresh.reason, fresh.candidates,
        clock_timestamp()
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS fresh (id uuid, name text, reason text, candidates jsonb)
      ON CONFLICT (installation_id, company_id, platform_vendor_id) DO UPDATE
        SET name = EXCLUDED.name, state = 'waiting', reason = EXCLUDED.reason, detail = NULL,
          candidates = EXCLUDED.candidates, decision = NULL, erp_vendor_number = NULL, decided_by = NULL,
          changed_at = EXCLUDED.changed_at
        WHERE vendor_match.state = 'waiting' OR vendor_match.platform_vendor_id = ANY(${[...tried]}::uuid[])`);
  }

  /** The ERP refused the vendor: only a person can go on. */
  async markRefused(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    vendor: { readonly id: string; readonly name: string },
    detail: string,
  ): Promise<void> {
    const waiting = { platformVendorId: vendor.id, name: vendor.name, reason: 'refused', candidates: [] } as const;
    await this.markWaiting(tx, { installationId, companyId }, [waiting], [vendor.id]);
    await tx.execute(sql`
      UPDATE vendor_match SET detail = ${detail}
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND platform_vendor_id = ${vendor.id}`);
  }

  /** Forgets vendors that neither wait nor have anything left to be carried out. */
  async settle(tx: Tx, { installationId, companyId }: CompanyKey, vendorIds: readonly string[]): Promise<void> {
    await tx.execute(sql`
      DELETE FROM vendor_match
      WHERE installation_id = ${installationId} AND company_id = ${companyId}
        AND platform_vendor_id = ANY(${[...vendorIds]}::uuid[])`);
  }

  /** Ids of all that wait. */
  async listWaitingIds(tx: Tx, { installationId, companyId }: CompanyKey): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT platform_vendor_id AS id FROM vendor_match
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND state = 'waiting' FOR UPDATE`);
    return rows.map(({ id }) => id);
  }

  /** Those that wait, by id. @param after id of the last one of the page before */
  async list(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    after: string | undefined,
    limit: number,
  ): Promise<readonly VendorMatchView[]> {
    return tx.rows<VendorMatchView>(sql`
      SELECT platform_vendor_id AS "platformVendorId", name, reason, detail, candidates, changed_at AS "changedAt"
      FROM vendor_match
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND state = 'waiting'
        AND (${after ?? null}::uuid IS NULL OR platform_vendor_id > ${after ?? null})
      ORDER BY platform_vendor_id LIMIT ${limit}`);
  }

  /** The vendor, other than this one, for which a link with the number is decided and not carried out yet. */
  async findLinked(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    otherThan: string,
    number: string,
  ): Promise<{ readonly name: string } | undefined> {
    return tx.maybeOne<{ readonly name: string }>(sql`
      SELECT name FROM vendor_match
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND platform_vendor_id <> ${otherThan}
        AND state = 'decided' AND erp_vendor_number = ${number}
      ORDER BY platform_vendor_id LIMIT 1`);
  }

  async find(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    vendorId: string,
  ): Promise<VendorMatchView | undefined> {
    return tx.maybeOne<VendorMatchView>(sql`
      SELECT platform_vendor_id AS "platformVendorId", name, reason, detail, candidates, changed_at AS "changedAt"
      FROM vendor_match
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND platform_vendor_id = ${vendorId}
        AND state = 'waiting' FOR UPDATE`);
  }
}

function decisionOf(decision: VendorDecision['decision'], number: string | null): VendorDecision {
  return decision === 'link' ? { decision, number: number ?? '' } : { decision };
}

function candidateOf(vendor: WaitingVendor['candidates'][number]): VendorCandidate {
  const { number, name, country, taxNumber, usable } = vendor;
  return { number, name, country: country ?? null, taxNumber: taxNumber ?? null, usable };
}
