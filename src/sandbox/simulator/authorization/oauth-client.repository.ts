import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

/** A registered application (P3.3). */
export interface OAuthClient {
  readonly clientId: string;
  readonly applicationId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

@Injectable()
export class OAuthClientRepository {
  async find(tx: Tx, clientId: string): Promise<OAuthClient | undefined> {
    return tx.maybeOne<OAuthClient>(sql`
      SELECT client_id AS "clientId", application_id AS "applicationId", client_secret AS "clientSecret", name,
             redirect_uris AS "redirectUris", scopes
      FROM oauth_client WHERE client_id = ${clientId}`);
  }

  /** Registers, or changes everything but the application id of a client registered before. */
  async register(tx: Tx, client: OAuthClient, now: Date): Promise<OAuthClient> {
    return tx.one<OAuthClient>(sql`
      INSERT INTO oauth_client (client_id, application_id, client_secret, name, redirect_uris, scopes, created_at)
      VALUES (${client.clientId}, ${client.applicationId}, ${client.clientSecret}, ${client.name},
              ${client.redirectUris}::text[], ${client.scopes}::text[], ${now})
      ON CONFLICT (client_id) DO UPDATE
      SET client_secret = excluded.client_secret, name = excluded.name, redirect_uris = excluded.redirect_uris,
          scopes = excluded.scopes
      RETURNING client_id AS "clientId", application_id AS "applicationId", client_secret AS "clientSecret", name,
                redirect_uris AS "redirectUris", scopes`);
  }
}
