import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { KeyRingService } from './key-ring.service.js';

const LIFETIME_MINUTES = 10;

/** Authorisations in progress: single use, ten minutes, bound to one browser (spec: reliability §e3 S20). */
@Injectable()
export class ConnectionAttemptRepository {
  constructor(private readonly keys: KeyRingService) {}

  async insert(
    tx: Tx,
    attempt: { readonly state: string; readonly browser: string; readonly codeVerifier: string },
  ): Promise<void> {
    const hash = sha256(attempt.state);
    await tx.execute(
      sql`DELETE FROM connection_attempt WHERE expires_at < clock_timestamp() - interval '1 day'`,
    );
    await tx.execute(sql`
      INSERT INTO connection_attempt (state_hash, browser_hash, code_verifier, expires_at)
      VALUES (${hash}, ${sha256(attempt.browser)},
        ${this.keys.seal('connection_attempt.code_verifier', hash.toString('hex'), attempt.codeVerifier)},
        clock_timestamp() + make_interval(mins => ${LIFETIME_MINUTES}))`);
  }

  /**
   * Uses up an attempt: of two callbacks at the same moment one gets it.
   * @returns its code verifier, or undefined when the state is unknown, used, too old, or of another browser
   */
  async take(tx: Tx, state: string, browser: string): Promise<string | undefined> {
    const hash = sha256(state);
    const row = await tx.maybeOne<{ code_verifier: string }>(sql`
      UPDATE connection_attempt SET used_at = clock_timestamp()
      WHERE state_hash = ${hash} AND browser_hash = ${sha256(browser)}
        AND used_at IS NULL AND expires_at > clock_timestamp()
      RETURNING code_verifier`);
    return (
      row && this.keys.unseal('connection_attempt.code_verifier', hash.toString('hex'), row.code_verifier)
    );
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
