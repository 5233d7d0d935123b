import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import { KeyRingService, type SealedColumn } from './key-ring.service.js';
import { RotateKeys } from './rotate-keys.js';

/** Sealed values of one column by what seals them. */
export interface SealedCount {
  readonly column: string;
  /** Key of the ring; undefined: the installation's own data key, which does not change. */
  readonly keyId: string | undefined;
  readonly count: number;
}

export interface ResealedValues {
  /** All sealed values there are. */
  readonly values: number;
  /** Those that the first key of the ring seals now and did not before. */
  readonly resealed: number;
  /** What another key of the ring still seals: taking that key away would lose it. */
  readonly left: readonly SealedCount[];
}

/** `v1.<key id>.…` is sealed by the ring, `v2.…` by a data key. */
const counted = (column: string, table: SqlStatement, value: SqlStatement): SqlStatement => sql`
  SELECT ${column}::text AS column, CASE WHEN ${value} LIKE 'v1.%' THEN split_part(${value}, '.', 2) END AS "keyId",
    count(*)::int AS count
  FROM ${table} WHERE ${value} <> '' GROUP BY 2`;

/** Of one installation: row-level security leaves out the others. */
const OF_AN_INSTALLATION: readonly SqlStatement[] = [
  counted('data_key.wrapped_key', sql`data_key`, sql`wrapped_key`),
  counted('credential.access_token', sql`credential`, sql`access_token`),
  counted('credential.refresh_token', sql`credential`, sql`refresh_token`),
  counted('subscription.endpoint_token', sql`subscription`, sql`endpoint_token`),
  counted('subscription.secret', sql`subscription`, sql`secret`),
  counted('subscription.previous_secret', sql`subscription`, sql`previous_secret`),
  counted('subscription.header_value', sql`subscription`, sql`header_value`),
  counted('idempotency_key.answer', sql`idempotency_key`, sql`answer`),
  counted('alert_setting.webhook_secret', sql`alert_setting`, sql`webhook_secret`),
  counted('alert_setting.sealed_address', sql`alert_setting`, sql`sealed_address`),
  counted('erp_connection.sealed_secrets', sql`erp_connection`, sql`sealed_secrets`),
  counted('erp_value.sealed_value', sql`erp_value`, sql`sealed_value`),
  counted('erp_sign_in.sealed_request', sql`erp_sign_in`, sql`sealed_request`),
];
const OF_NONE: readonly SqlStatement[] = [
  counted('connection_attempt.code_verifier', sql`connection_attempt`, sql`code_verifier`),
  counted('connection_attempt.grant_tokens', sql`connection_attempt`, sql`grant_tokens`),
  counted('connection_attempt.pending_sign_in', sql`connection_attempt`, sql`pending_sign_in`),
  counted('operator_idempotency_key.answer', sql`operator_idempotency_key`, sql`answer`),
];

/** A value that the ring itself seals, of what belongs to no installation. */
interface RingSealed {
  readonly column: SealedColumn;
  readonly key: Buffer;
  readonly value: string;
}

/** The whole of a key rotation in one call: seals again what is not under the first key of the ring, and counts what there is. */
@Injectable()
export class ResealValues {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly keyRingService: KeyRingService,
    private readonly rotateKeys: RotateKeys,
  ) {}

  /** Repeatable; processes that do not know the new first key yet go on sealing with the old one. */
  async resealAll(): Promise<ResealedValues> {
    const before = this.otherwiseSealed(await this.countAll());
    await this.rotateKeys.rotate(new AbortController().signal);
    await this.tenantDatabase.withoutInstallation('reseal values of no installation', async (tx) => {
      for (const value of await staleOf(tx, this.keyRingService.primary)) {
        await this.reseal(tx, value);
      }
    });
    const after = await this.countAll();
    const left = this.otherwiseSealed(after);
    return { values: sumOf(after), resealed: Math.max(0, sumOf(before) - sumOf(left)), left };
  }

  private otherwiseSealed(counts: readonly SealedCount[]): readonly SealedCount[] {
    return counts.filter(({ keyId }) => keyId !== undefined && keyId !== this.keyRingService.primary);
  }

  private async countAll(): Promise<readonly SealedCount[]> {
    const counts = [
      ...(await this.tenantDatabase.withoutInstallation('count sealed values', (tx) => countIn(tx, OF_NONE))),
    ];
    for (const installationId of await this.installations()) {
      counts.push(
        ...(await this.tenantDatabase.inInstallation('count sealed values', installationId, (tx) =>
          countIn(tx, OF_AN_INSTALLATION),
        )),
      );
    }
    return counts;
  }

  private async installations(): Promise<readonly InstallationId[]> {
    const rows = await this.tenantDatabase.acrossInstallations('list data keys', (tx) =>
      tx.rows<{ id: string }>(sql`SELECT installation_id AS id FROM data_key ORDER BY 1`),
    );
    return rows.map(({ id }) => toInstallationId(id));
  }

  private async reseal(tx: Tx, { column, key, value }: RingSealed): Promise<void> {
    const row = column === 'operator_idempotency_key.answer' ? 'operator' : key.toString('hex');
    const sealed = this.keyRingService.seal(column, row, this.keyRingService.unseal(column, row, value));
    switch (column) {
      case 'connection_attempt.code_verifier':
        await tx.execute(sql`UPDATE connection_attempt SET code_verifier = ${sealed} WHERE state_hash = ${key}`);
        return;
      case 'connection_attempt.grant_tokens':
        await tx.execute(sql`UPDATE connection_attempt SET grant_tokens = ${sealed} WHERE state_hash = ${key}`);
        return;
      case 'connection_attempt.pending_sign_in':
        await tx.execute(sql`UPDATE connection_attempt SET pending_sign_in = ${sealed} WHERE state_hash = ${key}`);
        return;
      default:
        await tx.execute(sql`UPDATE operator_idempotency_key SET answer = ${sealed} WHERE key_hash = ${key}`);
    }
  }
}

/** Locked until the transaction ends. Attempts are kept for a day, answers too, so there are few. */
async function staleOf(tx: Tx, primary: string): Promise<readonly RingSealed[]> {
  const stale = `v1.${primary}.%`;
  const attempts = await tx.rows<Readonly<Record<string, string>> & { readonly key: Buffer }>(sql`
    SELECT state_hash AS key, code_verifier AS "connection_attempt.code_verifier",
      grant_tokens AS "connection_attempt.grant_tokens", pending_sign_in AS "connection_attempt.pending_sign_in"
    FROM connection_attempt FOR UPDATE`);
  const answers = await tx.rows<Readonly<Record<string, string>> & { readonly key: Buffer }>(sql`
    SELECT key_hash AS key, answer AS "operator_idempotency_key.answer" FROM operator_idempotency_key
    WHERE answer NOT LIKE ${stale} FOR UPDATE`);
  return [...attempts, ...answers].flatMap(({ key, ...values }) =>
    Object.entries(values)
      .filter(([, value]) => typeof value === 'string' && !value.startsWith(`v1.${primary}.`))
      .map(([column, value]) => ({ column: column as SealedColumn, key, value })),
  );
}

async function countIn(tx: Tx, statements: readonly SqlStatement[]): Promise<readonly SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const statement of statements) {
    const rows = await tx.rows<{ column: string; keyId: string | null; count: number }>(statement);
    counts.push(...rows.map(({ column, keyId, count }) => ({ column, keyId: keyId ?? undefined, count })));
  }
  return counts;
}

function sumOf(counts: readonly SealedCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
