import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { ErpFindings } from './domain/erp-findings.js';
import type { JsonValue } from '../../kernel/json.js';
import type { ErpSettings } from '../erp/kit/define-erp.js';
import type { TokenSet } from '../../foundation/http/oauth/oauth-client.js';
import { CredentialRepository } from '../installations/credentials/credential.repository.js';
import { DataKeyRepository } from '../installations/credentials/data-key.repository.js';

/** `needs-reauthorization`: the ERP does not accept the credentials any more. */
export type ErpConnectionState = 'ok' | 'needs-reauthorization';

/** What people may see of a connection: never a secret. */
export interface ErpConnectionView {
  /** Number of the connection among those of the installation, from 1. */
  readonly generation: number;
  /** Grows with each change of settings or credentials. */
  readonly version: number;
  readonly kind: string;
  /** Which ERP the settings lead to. */
  readonly system: string;
  /** Whether company ids of this connection stand in records as they are (see domain/company-ref.ts). */
  readonly isFirst: boolean;
  readonly settings: ErpSettings;
  readonly state: ErpConnectionState;
  /** In words for the customer's administrator. */
  readonly problem: string | undefined;
  readonly connectedBy: string;
  /** UTC. */
  readonly connectedAt: Date;
  readonly lastSuccessAt: Date | undefined;
  /** Undefined before anything was tried. */
  readonly findings: ErpFindings | undefined;
}

export interface StoredErpConnection extends ErpConnectionView {
  readonly secrets: ErpSettings;
  /** From 1; one more after each uninstall, which empties the store of the adapter. */
  readonly storeNumber: number;
}

/** What is stored of a new connection, or of a change of the present one. */
export interface NewErpConnection {
  readonly kind: string;
  readonly system: string;
  readonly settings: ErpSettings;
  readonly secrets: ErpSettings;
  /** What the ERP has given to a person who has signed in there; null: the settings have the credentials; undefined: nothing new. */
  readonly tokens?: TokenSet | null | undefined;
  readonly by: string;
}

interface Row {
  readonly generation: number;
  readonly version: number;
  readonly kind: string;
  readonly erp_system: string;
  readonly is_first: boolean;
  readonly settings: Record<string, JsonValue>;
  readonly sealed_secrets: string;
  readonly state: ErpConnectionState;
  readonly problem: string | null;
  readonly connected_by: string;
  readonly connected_at: Date;
  readonly last_success_at: Date | null;
  readonly findings: ErpFindings | null;
  readonly store_number: number;
  readonly wrapped_key: string | null;
}

const COLUMNS = sql`generation, version, kind, erp_system, is_first, settings, sealed_secrets, state, problem, connected_by,
  connected_at, last_success_at, findings, store_number,
  (SELECT wrapped_key FROM data_key WHERE data_key.installation_id = erp_connection.installation_id) AS wrapped_key`;

/** Secrets are sealed with the installation's key, in one value (S25). */
@Injectable()
export class ErpConnectionRepository {
  constructor(
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly credentialRepository: CredentialRepository,
  ) {}

  /** @returns the present connection; undefined when there is none */
  async findCurrent(tx: Tx, installationId: InstallationId): Promise<StoredErpConnection | undefined> {
    const row = await tx.maybeOne<Row>(
      prepared(sql`
      SELECT ${COLUMNS} FROM erp_connection WHERE installation_id = ${installationId} AND ended_at IS NULL`),
    );
    return row && this.opened(installationId, row);
  }

  /** @param generation undefined: the connection whose company ids stand in records as they are */
  async find(
    tx: Tx,
    installationId: InstallationId,
    generation: number | undefined,
  ): Promise<StoredErpConnection | undefined> {
    const row = await tx.maybeOne<Row>(
      prepared(sql`
      SELECT ${COLUMNS} FROM erp_connection
      WHERE installation_id = ${installationId}
        AND CASE WHEN ${generation ?? null}::integer IS NULL THEN is_first ELSE generation = ${generation ?? null} END`),
    );
    return row && this.opened(installationId, row);
  }

  /**
   * Ends the present connection and begins the next one, or takes up again a former one to the same ERP: what was posted
   * through it is found there.
   */
  async begin(tx: Tx, installationId: InstallationId, connection: NewErpConnection): Promise<void> {
    await this.end(tx, installationId);
    const revived = await tx.execute(sql`
      UPDATE erp_connection SET ended_at = NULL
      WHERE installation_id = ${installationId} AND kind = ${connection.kind} AND erp_system = ${connection.system}`);
    if (revived > 0) {
      await this.change(tx, installationId, connection);
      return;
    }
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    const { generation } = await tx.one<{ readonly generation: number }>(sql`
      INSERT INTO erp_connection (installation_id, generation, kind, erp_system, is_first, settings, sealed_secrets,
        connected_by, connected_at)
      SELECT ${installationId}, coalesce(max(generation), 0) + 1, ${connection.kind}, ${connection.system},
        count(*) = 0 AND NOT EXISTS (SELECT 1 FROM posting_intent WHERE installation_id = ${installationId}),
        ${JSON.stringify(connection.settings)}::jsonb,
        ${keys.seal('erp_connection.sealed_secrets', JSON.stringify(connection.secrets))}, ${connection.by},
        clock_timestamp()
      FROM erp_connection WHERE installation_id = ${installationId}
      RETURNING generation`);
    await this.storeTokens(tx, installationId, generation, connection);
  }

  /** Changes settings or credentials of the present connection to the same ERP. */
  async change(tx: Tx, installationId: InstallationId, connection: NewErpConnection): Promise<void> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    const { generation } = await tx.one<{ readonly generation: number }>(sql`
      UPDATE erp_connection SET version = version + 1, settings = ${JSON.stringify(connection.settings)}::jsonb,
        sealed_secrets = ${keys.seal('erp_connection.sealed_secrets', JSON.stringify(connection.secrets))},
        connected_by = ${connection.by}, connected_at = clock_timestamp(), state = 'ok', problem = NULL
      WHERE installation_id = ${installationId} AND ended_at IS NULL
      RETURNING generation`);
    await this.storeTokens(tx, installationId, generation, connection);
  }

  async end(tx: Tx, installationId: InstallationId): Promise<boolean> {
    const ended = await tx.execute(sql`
      UPDATE erp_connection SET ended_at = clock_timestamp()
      WHERE installation_id = ${installationId} AND ended_at IS NULL`);
    return ended === 1;
  }

  /**
   * @param version whose credentials the ERP has refused; a newer one is left alone
   * @param problem code of the text that says so
   */
  async markRefused(
    tx: Tx,
    installationId: InstallationId,
    generation: number,
    version: number,
    problem: string,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE erp_connection SET state = 'needs-reauthorization', problem = left(${problem}, 500)
      WHERE installation_id = ${installationId} AND generation = ${generation} AND version = ${version} AND state = 'ok'`);
  }

  /** Of a sign-in that has ended the access token works on for a while: that does not make it well. */
  async markSuccess(tx: Tx, installationId: InstallationId, generation: number, version: number): Promise<void> {
    await tx.execute(sql`
      UPDATE erp_connection SET state = 'ok', problem = NULL, last_success_at = clock_timestamp()
      WHERE installation_id = ${installationId} AND generation = ${generation} AND version = ${version}
        AND NOT EXISTS (SELECT 1 FROM credential WHERE installation_id = ${installationId}
          AND erp_generation = ${generation} AND lost_at IS NOT NULL)`);
  }

  /** Newer results of a check replace those before. @param generation undefined: the present connection */
  async addFindings(
    tx: Tx,
    installationId: InstallationId,
    generation: number | undefined,
    { checks, ...books }: ErpFindings,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE erp_connection SET findings = coalesce(findings, '{}') || ${JSON.stringify(books)}::jsonb
        || jsonb_build_object('checks', coalesce(findings -> 'checks', '{}') || ${JSON.stringify(checks)}::jsonb)
      WHERE installation_id = ${installationId}
        AND CASE WHEN ${generation ?? null}::integer IS NULL THEN ended_at IS NULL ELSE generation = ${generation ?? null} END`);
  }

  private async storeTokens(
    tx: Tx,
    installationId: InstallationId,
    generation: number,
    { tokens }: NewErpConnection,
  ): Promise<void> {
    if (tokens === null) {
      await this.credentialRepository.delete(tx, installationId, generation);
    } else if (tokens !== undefined) {
      await this.credentialRepository.replace(tx, installationId, tokens, generation);
    }
  }

  private opened(installationId: InstallationId, row: Row): StoredErpConnection {
    const keys = this.dataKeyRepository.opened(installationId, row.wrapped_key);
    return {
      generation: row.generation,
      version: row.version,
      kind: row.kind,
      system: row.erp_system,
      isFirst: row.is_first,
      settings: row.settings,
      secrets: JSON.parse(keys.unseal('erp_connection.sealed_secrets', row.sealed_secrets)) as ErpSettings,
      state: row.state,
      problem: row.problem ?? undefined,
      connectedBy: row.connected_by,
      connectedAt: row.connected_at,
      lastSuccessAt: row.last_success_at ?? undefined,
      findings: row.findings ?? undefined,
      storeNumber: row.store_number,
    };
  }
}
