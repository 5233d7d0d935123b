import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { TokenSet } from '../../../foundation/http/oauth/oauth-client.js';
import type { AuthorizationPurpose, TokenPerson } from '../../platform/platform-oauth.js';
import { KeyRingService } from '../credentials/key-ring.service.js';

const LIFETIME_MINUTES = 10;
/** Of one client within their ten minutes: enough for a company behind one address, and for a person who begins again and again. */
const MAX_PENDING = 100;

/** An organization's grant, stored until the person has picked one of its companies. */
export interface OrganizationGrant {
  readonly tokens: TokenSet;
  readonly organizationId: string;
}

/** A person who signs in with an organization's consent, stored until one of its companies is picked. */
export interface PendingSignIn {
  readonly person: TokenPerson;
  /** How long before the person was authenticated. */
  readonly secondsAgo: number;
  /** The companies that may be picked. */
  readonly companyIds: readonly string[];
}

/** An attempt whose callback has arrived. */
export interface ConsumedAttempt {
  readonly purpose: AuthorizationPurpose;
  readonly codeVerifier: string;
}

export interface NewAttempt extends ConsumedAttempt {
  readonly state: string;
  /** Secret of the browser's cookie. */
  readonly browser: string;
  /** See `networkOf`. */
  readonly network: string;
}

const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresInSeconds: z.number(),
});
const pendingSignInSchema = z.object({
  person: z
    .object({ subject: z.string(), name: z.string().optional(), mail: z.string().optional() })
    .transform(({ subject, name, mail }) => ({ subject, name, mail })),
  secondsAgo: z.number(),
  companyIds: z.array(z.string()),
});

/** Authorizations under way: used once, valid for ten minutes, bound to one browser (S20). */
@Injectable()
export class ConnectionAttemptRepository {
  constructor(private readonly keyRingService: KeyRingService) {}

  /** @returns false for a client that has too many under way */
  async insert(tx: Tx, attempt: NewAttempt): Promise<boolean> {
    const hash = sha256(attempt.state);
    await tx.execute(sql`DELETE FROM connection_attempt WHERE expires_at < clock_timestamp() - interval '1 day'`);
    // Else those that begin at the same time would not see each other.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`attempt ${attempt.network}`}, 0))`);
    const { pending } = await tx.one<{ pending: number }>(sql`
      SELECT count(*)::int AS pending FROM connection_attempt
      WHERE from_network = ${attempt.network} AND used_at IS NULL AND expires_at > clock_timestamp()`);
    if (pending >= MAX_PENDING) {
      return false;
    }
    await tx.execute(sql`
      INSERT INTO connection_attempt (state_hash, browser_hash, from_network, purpose, code_verifier, expires_at)
      VALUES (${hash}, ${sha256(attempt.browser)}, ${attempt.network}, ${attempt.purpose},
        ${this.keyRingService.seal('connection_attempt.code_verifier', hash.toString('hex'), attempt.codeVerifier)},
        clock_timestamp() + make_interval(mins => ${LIFETIME_MINUTES}))`);
    return true;
  }

  /** Deletes the grants and pending sign-ins whose company was not picked in time. */
  async deleteAbandoned(tx: Tx): Promise<void> {
    await tx.execute(sql`
      UPDATE connection_attempt SET grant_tokens = NULL, pending_sign_in = NULL
      WHERE expires_at <= clock_timestamp() AND (grant_tokens IS NOT NULL OR pending_sign_in IS NOT NULL)`);
  }

  /**
   * Marks an attempt as used: of two concurrent callbacks one gets it.
   * @returns undefined when the state is unknown, used, expired, or of another browser
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

  /** Stores the grant of a used attempt for another ten minutes. */
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

  /** As `consume`, for the grant that `storeGrant` stored. */
  async consumeGrant(tx: Tx, state: string, browser: string): Promise<OrganizationGrant | undefined> {
    const grant = await this.findGrant(tx, state, browser);
    if (grant !== undefined) {
      await tx.execute(sql`UPDATE connection_attempt SET grant_tokens = NULL WHERE state_hash = ${sha256(state)}`);
    }
    return grant;
  }

  /** The stored grant, which stays: the person is still searching. Its row is locked until the transaction ends. */
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
    const text = this.keyRingService.unseal('connection_attempt.grant_tokens', hash.toString('hex'), row.grant_tokens);
    const tokens = tokensSchema.parse(JSON.parse(text));
    const expiresInSeconds = Math.max(0, tokens.expiresInSeconds - row.age);
    return { tokens: { ...tokens, expiresInSeconds }, organizationId: row.organization_id };
  }

  /** Stores the person for another ten minutes. */
  async storePendingSignIn(tx: Tx, state: string, pending: PendingSignIn): Promise<void> {
    const hash = sha256(state);
    const text = JSON.stringify(pending);
    await tx.execute(sql`
      UPDATE connection_attempt
      SET pending_sign_in = ${this.keyRingService.seal('connection_attempt.pending_sign_in', hash.toString('hex'), text)},
        expires_at = clock_timestamp() + make_interval(mins => ${LIFETIME_MINUTES})
      WHERE state_hash = ${hash}`);
  }

  /** As `consume`, for what `storePendingSignIn` stored. */
  async consumePendingSignIn(tx: Tx, state: string, browser: string): Promise<PendingSignIn | undefined> {
    const hash = sha256(state);
    const row = await tx.maybeOne<{ pending_sign_in: string }>(sql`
      SELECT pending_sign_in FROM connection_attempt
      WHERE state_hash = ${hash} AND browser_hash = ${sha256(browser)} AND pending_sign_in IS NOT NULL
        AND expires_at > clock_timestamp()
      FOR UPDATE`);
    if (row === undefined) {
      return undefined;
    }
    await tx.execute(sql`UPDATE connection_attempt SET pending_sign_in = NULL WHERE state_hash = ${hash}`);
    const text = this.keyRingService.unseal(
      'connection_attempt.pending_sign_in',
      hash.toString('hex'),
      row.pending_sign_in,
    );
    return pendingSignInSchema.parse(JSON.parse(text));
  }
}
