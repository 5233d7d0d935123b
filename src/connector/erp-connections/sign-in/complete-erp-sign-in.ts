import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import type { TokenSet } from '../../../foundation/http/oauth/oauth-client.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { AuthorizationLost } from '../../platform/platform-error.js';
import { ErpKinds } from '../erp-kinds.js';
import { SaveErpConnection, type SaveErpConnectionResult } from '../save-erp-connection.js';
import { ErpOAuthServers, ErpSignInFailed } from './erp-oauth.js';
import { ErpSignInRepository } from './erp-sign-in.repository.js';

export type CompletedErpSignIn =
  | Exclude<SaveErpConnectionResult, { readonly outcome: 'needs-sign-in' }>
  /** State unknown, used, older than ten minutes, of another installation, or begun by another person. */
  | { readonly outcome: 'attempt-unknown' }
  | { readonly outcome: 'sign-in-failed'; readonly reason: string };

/** Second step of what `BeginErpSignIn` started: the browser returns from the ERP. */
@Injectable()
export class CompleteErpSignIn {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly erpSignInRepository: ErpSignInRepository,
    private readonly saveErpConnection: SaveErpConnection,
    private readonly erpKinds: ErpKinds,
    private readonly erpOAuthServers: ErpOAuthServers,
  ) {}

  /**
   * @param query of the callback: one `state`, with a `code` or an `error`
   * @param person whose browser it is
   */
  async complete(
    installationId: InstallationId,
    query: URLSearchParams,
    person: { readonly memberId: string | undefined; readonly name: string },
  ): Promise<CompletedErpSignIn> {
    const request = await this.tenantDatabase.inInstallation('consume ERP sign-in', installationId, (tx) =>
      this.erpSignInRepository.consume(tx, installationId, query.get('state') ?? '', person.memberId),
    );
    const definition = request && this.erpKinds.find(request.kind);
    if (request === undefined || definition === undefined) {
      return { outcome: 'attempt-unknown' };
    }
    if (query.has('error')) {
      return { outcome: 'sign-in-failed', reason: 'the accounting system gave no access' };
    }
    let tokens: TokenSet;
    try {
      tokens = await this.erpOAuthServers.exchangeCode(definition, request.settings, query, request.codeVerifier);
    } catch (error) {
      if (error instanceof ErpSignInFailed || error instanceof NoResponse || error instanceof AuthorizationLost) {
        return { outcome: 'sign-in-failed', reason: error.message };
      }
      throw error;
    }
    return this.saveErpConnection.connectSignedIn(installationId, request, tokens, person.name);
  }
}
