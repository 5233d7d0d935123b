import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { SaveErpConnection, type SaveErpConnectionResult, type WantedErpConnection } from '../save-erp-connection.js';
import { ErpOAuthServers, ErpSignInFailed } from './erp-oauth.js';
import { ErpSignInRepository } from './erp-sign-in.repository.js';

export type BegunErpSignIn =
  | { readonly outcome: 'begun'; readonly signInUrl: string; readonly expiresAt: Date }
  /** With these settings there is no sign-in at the ERP: they have the credentials. */
  | { readonly outcome: 'without-sign-in' }
  /** This deployment has no client at the ERP's authorization server. */
  | { readonly outcome: 'not-registered' }
  | { readonly outcome: 'sign-in-failed'; readonly reason: string }
  | Extract<SaveErpConnectionResult, { readonly outcome: 'invalid' | 'needs-confirmation' | 'not-installed' }>;

/** First step of connecting an ERP at which a person signs in: keeps what is to be connected and names the ERP's page. */
@Injectable()
export class BeginErpSignIn {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly erpSignInRepository: ErpSignInRepository,
    private readonly saveErpConnection: SaveErpConnection,
    private readonly erpOAuthServers: ErpOAuthServers,
  ) {}

  /** @param memberId who has to come back; undefined: any admin of the installation */
  async begin(
    installationId: InstallationId,
    wanted: WantedErpConnection,
    memberId: string | undefined,
  ): Promise<BegunErpSignIn> {
    const checked = await this.saveErpConnection.check(installationId, wanted, true);
    if (checked.outcome !== 'possible') {
      return checked;
    }
    const { definition, settings } = checked;
    if (this.erpOAuthServers.serverOf(definition, settings) === undefined) {
      return { outcome: 'without-sign-in' };
    }
    if (!this.erpOAuthServers.isRegistered(definition)) {
      return { outcome: 'not-registered' };
    }
    const attempt = this.erpOAuthServers.newAttempt();
    try {
      const signInUrl = await this.erpOAuthServers.signInUrl(definition, settings, attempt);
      const { kind, isChangeConfirmed } = wanted;
      const request = { kind, settings, isChangeConfirmed, codeVerifier: attempt.codeVerifier };
      const expiresAt = await this.tenantDatabase.inInstallation('begin ERP sign-in', installationId, (tx) =>
        this.erpSignInRepository.insert(tx, installationId, attempt.state, memberId, request),
      );
      return { outcome: 'begun', signInUrl, expiresAt };
    } catch (error) {
      if (error instanceof ErpSignInFailed || error instanceof NoResponse) {
        return { outcome: 'sign-in-failed', reason: error.message };
      }
      throw error;
    }
  }
}
