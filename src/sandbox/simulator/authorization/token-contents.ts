import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { ConsentRepository } from './consent.repository.js';
import { OAuthClientRepository } from './oauth-client.repository.js';

/** The contents of access tokens beside the standard claims (P3.1). */
@Injectable()
export class TokenContents {
  constructor(
    private readonly consentRepository: ConsentRepository,
    private readonly oAuthClientRepository: OAuthClientRepository,
    private readonly database: Database,
  ) {}

  /** @returns claims about the consent of a grant; none when there is no consent */
  async claimsOf(grantId: string): Promise<Readonly<Record<string, string>>> {
    const consent = await this.database.inTransaction('find consent', (tx) => this.consentRepository.find(tx, grantId));
    return consent === undefined
      ? {}
      : { grant_id: grantId, subject_urn: consent.resource, installation_id: consent.installationId };
  }

  /** @returns the scopes of a client; none for an unknown client */
  async scopesOf(clientId: string): Promise<readonly string[]> {
    const client = await this.database.inTransaction('find client scopes', (tx) =>
      this.oAuthClientRepository.find(tx, clientId),
    );
    return client?.scopes ?? [];
  }
}
