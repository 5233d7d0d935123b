import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

interface ConsentRow {
  readonly applicationId: string;
  readonly applicationName: string;
  readonly clientId: string;
  readonly resource: string;
  /** Null: all companies of the organization that `resource` names. */
  readonly companyId: string | null;
}

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly applicationId: string;
  readonly companyId: string | null;
  readonly organizationId: string | null;
  readonly scopes: readonly string[];
}

export interface NewApiKey {
  readonly id: string;
  readonly keyDigest: string;
  readonly applicationId: string;
  readonly name: string;
  readonly companyId: string | null;
  readonly organizationId: string | null;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** Reads the callers that credentials belong to. */
@Injectable()
export class CallerRepository {
  /** The installation a consent made, while neither the consent nor the installation was revoked. */
  async findByGrant(tx: Tx, grantId: string): Promise<ConsentRow | undefined> {
    return tx.maybeOne<ConsentRow>(
      prepared(sql`
      SELECT i.application_id AS "applicationId", c.name AS "applicationName", c.client_id AS "clientId",
             i.resource, consent.company_id AS "companyId"
      FROM consent
      JOIN installation i ON i.id = consent.installation_id AND i.deleted_at IS NULL
      JOIN oauth_client c ON c.application_id = i.application_id
      JOIN oauth_record r ON r.model = 'Grant' AND r.id = consent.grant_id
      WHERE consent.grant_id = ${grantId}`),
    );
  }

  async findApiKey(tx: Tx, keyDigest: string, now: Date): Promise<ApiKeyRow | undefined> {
    return tx.maybeOne<ApiKeyRow>(
      prepared(sql`
      SELECT id, name, application_id AS "applicationId", company_id AS "companyId",
             organization_id AS "organizationId", scopes
      FROM api_key
      WHERE key_digest = ${keyDigest} AND (expires_at IS NULL OR expires_at > ${now})`),
    );
  }

  async companyIdsOfOrganization(tx: Tx, organizationId: string): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(
      sql`SELECT id FROM company WHERE organization_id = ${organizationId} ORDER BY position`,
    );
    return rows.map(({ id }) => id);
  }

  async companyExists(tx: Tx, companyId: string): Promise<boolean> {
    return (await tx.maybeOne(sql`SELECT id FROM company WHERE id = ${companyId}`)) !== undefined;
  }

  async addApiKey(tx: Tx, key: NewApiKey): Promise<void> {
    await tx.execute(sql`
      INSERT INTO api_key (id, key_digest, application_id, name, company_id, organization_id, scopes, expires_at,
                           created_at)
      VALUES (${key.id}, ${key.keyDigest}, ${key.applicationId}, ${key.name}, ${key.companyId},
              ${key.organizationId}, ${key.scopes}::text[], ${key.expiresAt}, ${key.createdAt})`);
  }
}
