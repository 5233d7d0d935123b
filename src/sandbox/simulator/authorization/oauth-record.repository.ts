import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

export interface OAuthRecord {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly consumed: boolean;
  readonly consumedAt: Date | null;
}

/** Sessions, interactions, consents, codes and refresh tokens, as the authorization server writes them. */
@Injectable()
export class OAuthRecordRepository {
  async upsert(
    tx: Tx,
    model: string,
    id: string,
    payload: Readonly<Record<string, unknown>>,
    keys: { readonly grantId: string | null; readonly uid: string | null },
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO oauth_record (model, id, payload, grant_id, uid)
      VALUES (${model}, ${id}, ${JSON.stringify(payload)}::jsonb, ${keys.grantId}, ${keys.uid})
      ON CONFLICT (model, id) DO UPDATE
      SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid`);
  }

  async find(tx: Tx, model: string, id: string): Promise<OAuthRecord | undefined> {
    return tx.maybeOne<OAuthRecord>(
      sql`SELECT payload, consumed, consumed_at AS "consumedAt" FROM oauth_record WHERE model = ${model} AND id = ${id}`,
    );
  }

  async findByUid(tx: Tx, model: string, uid: string): Promise<OAuthRecord | undefined> {
    return tx.maybeOne<OAuthRecord>(
      sql`SELECT payload, consumed, consumed_at AS "consumedAt" FROM oauth_record WHERE model = ${model} AND uid = ${uid} LIMIT 1`,
    );
  }

  /** @returns false when it was consumed before, also when two ask at the same moment */
  async consume(tx: Tx, model: string, id: string, now: Date): Promise<boolean> {
    const touched = await tx.execute(sql`
      UPDATE oauth_record SET consumed = true, consumed_at = ${now}
      WHERE model = ${model} AND id = ${id} AND NOT consumed`);
    return touched === 1;
  }

  async remove(tx: Tx, model: string, id: string): Promise<void> {
    await tx.execute(sql`DELETE FROM oauth_record WHERE model = ${model} AND id = ${id}`);
  }

  async removeByGrant(tx: Tx, model: string, grantId: string): Promise<void> {
    await tx.execute(sql`DELETE FROM oauth_record WHERE model = ${model} AND grant_id = ${grantId}`);
  }

  /** Takes back every consent of an installation with all its tokens. */
  async removeByInstallation(tx: Tx, installationId: string): Promise<void> {
    await tx.execute(sql`
      DELETE FROM oauth_record r USING consent c
      WHERE c.installation_id = ${installationId}
        AND (r.grant_id = c.grant_id OR (r.model = 'Grant' AND r.id = c.grant_id))`);
  }
}
