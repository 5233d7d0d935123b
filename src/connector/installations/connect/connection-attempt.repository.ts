import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { AuthorizationPurpose, TokenPerson, TokenSet } from '../../platform/platform-oauth.js';
import { KeyRingService } from '../credentials/key-ring.service.js';

const LIFETIME_MINUTES = 10;

/** What an organization gave, until the person has picked one of its companies. */
export interface OrganizationGrant {
  readonly tokens: TokenSet;
  readonly organizationId: string;
}

/** Who came with an organization's consent to sign in, until the person has picked one of its companies. */
export interface PendingSignIn {
  readonly person: TokenPerson;
  /** Those that may be picked. */
  readonly companyIds: readonly string[];
}

/** An authorization that has come back. */
export interface ConsumedAttempt {
  readonly purpose: AuthorizationPurpose;
  readonly codeVerifier: string;
}

const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresInSeconds: z.number(),
});
const pendingSignInSchema = z.object({
  person: z
    .object({ subject: z.string(), name: z.string().optional() })
    .transform(({ subject, name }) => ({ subject, name })),
  companyIds: z.array(z.string()),
});

/** Authorizations in progress: single use, ten minutes, bound to one browser (S20). */
@Injectable()
export class ConnectionAttemptRepository {
  constructor(private readonly keyRingService: KeyRingService) {}

  async insert(
    tx: Tx,
    attempt: ConsumedAttempt & { readonly state: string; readonly browser: string },
  ): Promise<void> {
    const hash = sha256(attempt.state);
    await tx.execute(
      sql`DELETE FROM connection_attempt WHERE expires_at < clock_timestamp() - interval '1 day'`,
    );
    await tx.execute(sql`
      INSERT INTO connection_attempt (state_hash, browser_hash, purpose, code_verifier, expires_at)
      VALUES (${hash}, ${sha256(attempt.browser)}, ${attempt.purpose},
        ${this.keyRingService.seal('connection_attempt.code_verifier', hash.toString('hex'), attempt.codeVerifier)},
        clock_timestamp() + make_interval(mins => ${LIFETIME_MINUTES}))`);
  }

  /** What waited for a choice that nobody made in time: tokens of an organization, or who came. */
  async deleteAbandoned(tx: Tx): Promise<void> {
    await tx.execute(sql`
      UPDATE connection_attempt SET grant_tokens = NULL, arrival = NULL
      WHERE expires_at <= clock_timestamp() AND (grant_tokens IS NOT NULL OR arrival IS NOT NULL)`);
  }

  /**
   * Uses up an attempt: of two callbacks at the same moment one gets it.
   * @returns undefined when the state is unknown, used, too old, or of another browser
   */
  async consume(tx: Tx, state: string, browser: string): Promise<ConsumedAttempt | undefined> {
    const hash = sha256(state);
    const row = await tx.maybeOne<{ purpose: AuthorizationPurpose; code_verifier: string }>(sql`
      UPDATE connection_attempt SET used_at = clock_timestamp()
      WHERE state_hash = ${hash} AND browser_hash = ${sha256(browser)}
        AND used_at IS NULL AND expires_at > clock_timestamp()
      RETURNING purpose, code_verifier`);
    return (
      row && {
        purpose: row.purpose,
        codeVerifier: this.keyRingService.unseal(
          'connection_attempt.code_verifier',
          hash.toString('hex'),
          row.code_verifier,
        ),
      }
    );
  }

  /** Keeps the grant of a used attempt for another ten minutes. */
  async storeGrant(tx: Tx, state: string, grant: OrganizationGrant): Promise<void> {
    const hash = sha256(state);
    const row = hash.toString('hex');
    await tx.execute(sql`
      UPDATE connection_attempt
      SET grant_tokens = ${this.keyRingService.seal('connection_attempt.grant_tokens', row, JSON.stringify(grant.tokens))},
        organization_id = ${grant.organizationId}, granted_at = clock_timestamp(),
        expires_at = clock_timestamp() + make_interval(mins => ${LIFETIME_MINUTES})
      WHERE state_hash = ${hash}`);
  }

  /** As `take`, for the grant that `keepGrant` left. */
  async consumeGrant(tx: Tx, state: string, browser: string): Promise<OrganizationGrant | undefined> {
    const grant = await this.findGrant(tx, state, browser);
    if (grant !== undefined) {
      await tx.execute(
        sql`UPDATE connection_attempt SET grant_tokens = NULL WHERE state_hash = ${sha256(state)}`,
      );
    }
    return grant;
  }

  /** The kept grant, which stays: the person is still looking for the company. Locked until the transaction ends. */
  async findGrant(tx: Tx, state: string, browser: string): Promise<OrganizationGrant | undefined> {
    const hash = sha256(state);
    const row = await tx.maybeOne<{ grant_tokens: string; organization_id: string; age: number }>(sql`
      SELECT grant_tokens, organization_id, ceil(extract(epoch FROM clock_timestamp() - granted_at))::int AS age
      FROM connection_attempt
      WHERE state_hash = ${hash} AND browser_hash = ${sha256(browser)} AND grant_tokens IS NOT NULL
        AND expires_at > clock_timestamp()
      FOR UPDATE`);
    if (row === undefined) {
      return undefined;
    }
    const text = this.keyRingService.unseal(
      'connection_attempt.grant_tokens',
      hash.toString('hex'),
      row.grant_tokens,
    );
    const tokens = tokensSchema.parse(JSON.parse(text));
    const expiresInSeconds = Math.max(0, tokens.expiresInSeconds - row.age);
    return { tokens: { ...tokens, expiresInSeconds }, organizationId: row.organization_id };
  }

  /** Remembers for another ten minutes who came. */
  async storePendingSignIn(tx: Tx, state: string, arrival: PendingSignIn): Promise<void> {
    const hash = sha256(state);
    const text = JSON.stringify(arrival);
    await tx.execute(sql`
      UPDATE connection_attempt
      SET arrival = ${this.keyRingService.seal('connection_attempt.arrival', hash.toString('hex'), text)},
        expires_at = clock_timestamp() + make_interval(mins => ${LIFETIME_MINUTES})
      WHERE state_hash = ${hash}`);
  }

  /** As `take`, for the arrival that `keepArrival` left. */
  async consumePendingSignIn(tx: Tx, state: string, browser: string): Promise<PendingSignIn | undefined> {
    const hash = sha256(state);
    const row = await tx.maybeOne<{ arrival: string }>(sql`
      SELECT arrival FROM connection_attempt
      WHERE state_hash = ${hash} AND browser_hash = ${sha256(browser)} AND arrival IS NOT NULL
        AND expires_at > clock_timestamp()
      FOR UPDATE`);
    if (row === undefined) {
      return undefined;
    }
    await tx.execute(sql`UPDATE connection_attempt SET arrival = NULL WHERE state_hash = ${hash}`);
    const text = this.keyRingService.unseal('connection_attempt.arrival', hash.toString('hex'), row.arrival);
    return pendingSignInSchema.parse(JSON.parse(text));
  }
}
