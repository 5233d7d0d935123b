import { Injectable } from '@nestjs/common';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';
import { Database } from '../../../foundation/database/database.js';
import { OAuthError } from '../wire/api-error.js';
import { OAuthClientRepository } from './oauth-client.repository.js';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Authenticates an OAuth client by its secret. */
@Injectable()
export class AuthenticateClient {
  constructor(
    private readonly oAuthClientRepository: OAuthClientRepository,
    private readonly database: Database,
  ) {}

  /**
   * @returns the id of the client
   * @throws OAuthError 401 for an unknown client or a wrong secret
   */
  async authenticate({ clientId, clientSecret }: ClientCredentials): Promise<string> {
    const client = await this.database.inTransaction('find client', (tx) =>
      this.oAuthClientRepository.find(tx, clientId),
    );
    if (client === undefined || !isSameSecret(client.clientSecret, clientSecret)) {
      throw new OAuthError(401, 'invalid_client', 'The client is unknown or its secret is wrong.', {
        'www-authenticate': 'Basic realm="introspection"',
      });
    }
    return client.clientId;
  }
}
