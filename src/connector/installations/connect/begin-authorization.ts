import { Injectable } from '@nestjs/common';
import { networkOf } from '../../../foundation/network/network-of.js';
import { newSecretText } from '../../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { PlatformOAuth, type AuthorizationPurpose } from '../../platform/platform-oauth.js';
import { AttemptCookie } from './attempt-cookie.js';
import { ConnectionAttemptRepository } from './connection-attempt.repository.js';

export interface BegunAuthorization {
  /** Address of the platform's consent page. */
  readonly location: string;
  /** A `set-cookie` header: ties the attempt to this browser (S20). */
  readonly cookie: string;
}

/** First step of connecting a company or signing in: stores the attempt and names the platform's consent page. */
@Injectable()
export class BeginAuthorization {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly connectionAttemptRepository: ConnectionAttemptRepository,
    private readonly platformOAuth: PlatformOAuth,
    private readonly attemptCookie: AttemptCookie,
  ) {}

  /**
   * @param address of the client, which may have a hundred attempts under way
   * @returns undefined when it has
   */
  async begin(purpose: AuthorizationPurpose, address: string): Promise<BegunAuthorization | undefined> {
    const { state, codeVerifier } = this.platformOAuth.newAttempt();
    const browser = newSecretText();
    const attempt = { state, browser, codeVerifier, purpose, network: networkOf(address) };
    const isBegun = await this.tenantDatabase.withoutInstallation('begin authorization', (tx) =>
      this.connectionAttemptRepository.insert(tx, attempt),
    );
    if (!isBegun) {
      return undefined;
    }
    const location = await this.platformOAuth.authorizationUrl(state, codeVerifier, purpose);
    return { location: location.toString(), cookie: this.attemptCookie.setCookieHeader(browser) };
  }
}
