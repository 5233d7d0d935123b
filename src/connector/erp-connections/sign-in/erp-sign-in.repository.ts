import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { ErpSettings } from '../../erp/kit/define-erp.js';
import { DataKeyRepository } from '../../installations/credentials/data-key.repository.js';

const LIFETIME_MINUTES = 10;
/** Of one installation: a sign-in beyond that deletes the oldest one. */
const MAX_OPEN = 20;

/** What is to be connected once the person comes back from the ERP. */
export interface ErpSignInRequest {
  readonly kind: string;
  /** Secrets included. */
  readonly settings: ErpSettings;
  readonly isChangeConfirmed: boolean;
  /** Of PKCE. */
  readonly codeVerifier: string;
}

const requestSchema = z.object({
  kind: z.string(),
  settings: z.record(z.string(), z.json()),
  isChangeConfirmed: z.boolean(),
  codeVerifier: z.string(),
});

/** Sign-ins at ERPs under way: each used once, by who began it, in the installation it was begun in (S20). */
@Injectable()
export class ErpSignInRepository {
  constructor(private readonly dataKeyRepository: DataKeyRepository) {}

  /**
   * @param memberId undefined: begun by a program for which no member stands
   * @returns until when it can be completed
   */
  async insert(
    tx: Tx,
    installationId: InstallationId,
    state: string,
    memberId: string | undefined,
    request: ErpSignInRequest,
  ): Promise<Date> {
    await tx.execute(sql`
      DELETE FROM erp_sign_in WHERE installation_id = ${installationId} AND (expires_at < clock_timestamp()
        OR state_hash IN (SELECT state_hash FROM erp_sign_in WHERE installation_id = ${installationId}
          ORDER BY expires_at DESC OFFSET ${MAX_OPEN - 1}))`);
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    const { expiresAt } = await tx.one<{ readonly expiresAt: Date }>(sql`
      INSERT INTO erp_sign_in (installation_id, state_hash, member_id, sealed_request, expires_at)
      VALUES (${installationId}, ${sha256(state)}, ${memberId ?? null},
        ${keys.seal('erp_sign_in.sealed_request', JSON.stringify(request))},
        clock_timestamp() + make_interval(mins => ${LIFETIME_MINUTES}))
      RETURNING expires_at AS "expiresAt"`);
    return expiresAt;
  }

  /**
   * Takes it out: of two callbacks one gets it.
   * @returns undefined when the state is unknown, used, expired, of another installation or of another member
   */
  async consume(
    tx: Tx,
    installationId: InstallationId,
    state: string,
    memberId: string | undefined,
  ): Promise<ErpSignInRequest | undefined> {
    const row = await tx.maybeOne<{ readonly sealed: string }>(sql`
      DELETE FROM erp_sign_in
      WHERE installation_id = ${installationId} AND state_hash = ${sha256(state)} AND expires_at > clock_timestamp()
        AND (member_id IS NULL OR member_id = ${memberId ?? null})
      RETURNING sealed_request AS sealed`);
    if (row === undefined) {
      return undefined;
    }
    const keys = await this.dataKeyRepository.find(tx, installationId);
    return requestSchema.parse(JSON.parse(keys.unseal('erp_sign_in.sealed_request', row.sealed)));
  }
}
