import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { PlatformOAuth, type AuthorizationPurpose } from '../../platform/platform-oauth.js';
import { ConnectionAttemptRepository } from './connection-attempt.repository.js';

export interface BegunAuthorization {
  /** Where the browser goes to consent. */
  readonly location: URL;
  /** Secret for the browser's cookie; the callback must bring it back. */
  readonly browser: string;
}

/**
 * First step of connecting a customer, or of signing in: remembers the attempt and sends the person to the platform's
 * consent page.
 */
@Injectable()
export class BeginAuthorization {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly connectionAttemptRepository: ConnectionAttemptRepository,
    private readonly platformOAuth: PlatformOAuth,
  ) {}

  async begin(purpose: AuthorizationPurpose): Promise<BegunAuthorization> {
    const { state, codeVerifier } = this.platformOAuth.newAttempt();
    const browser = newSecretText();
    await this.tenantDatabase.withoutInstallation('begin authorization', (tx) =>
      this.connectionAttemptRepository.insert(tx, { state, browser, codeVerifier, purpose }),
    );
    return { location: await this.platformOAuth.authorizationUrl(state, codeVerifier, purpose), browser };
  }
}
