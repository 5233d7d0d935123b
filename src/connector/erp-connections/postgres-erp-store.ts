import { sql } from '../../foundation/database/sql.js';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { JsonValue } from '../../kernel/json.js';
import { ErpStore, type StoreChange, type StoredValue } from '../erp/kit/erp-store.js';
import type { DataKey } from '../installations/credentials/data-key.js';
import type { DataKeyRepository } from '../installations/credentials/data-key.repository.js';

const MAX_KEYS = 1_000;

interface Row {
  readonly key: string;
  readonly version: number;
  readonly sealed_value: string;
}

class CommitConflict extends Error {}

/** The store of one connection. Values are sealed: uninstalling destroys their key, and with it what they say (S30). */
export class PostgresErpStore extends ErpStore {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly installationId: InstallationId,
    private readonly generation: number,
  ) {
    super();
  }

  override async read(keys: readonly string[]): Promise<ReadonlyMap<string, StoredValue>> {
    const rows = await this.opened('read ERP store', (tx) =>
      tx.rows<Row>(sql`
        SELECT key, version, sealed_value FROM erp_value
        WHERE installation_id = ${this.installationId} AND generation = ${this.generation} AND key = ANY (${[...keys]})`),
    );
    return new Map(rows.map(({ key, ...stored }) => [key, stored]));
  }

  override async list(prefix: string, after: string | undefined, limit: number) {
    return this.opened('list ERP store', (tx) =>
      tx.rows<Row>(sql`
        SELECT key, version, sealed_value FROM erp_value
        WHERE installation_id = ${this.installationId} AND generation = ${this.generation}
          AND starts_with(key, ${prefix}) AND key > ${after ?? ''}
        ORDER BY key LIMIT ${Math.min(limit, MAX_KEYS)}`),
    );
  }

  override async commit(changes: readonly StoreChange[]): Promise<boolean> {
    try {
      await this.tenantDatabase.inInstallation('change ERP store', this.installationId, async (tx) => {
        if (changes.some(({ expectedVersion }) => expectedVersion === 0) && !(await this.isInstalled(tx))) {
          throw new CommitConflict();
        }
        const keys = await this.dataKeyRepository.findOrCreate(tx, this.installationId);
        // In one order, so that two commits of the same keys do not wait for each other.
        for (const change of changes.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
          if ((await this.apply(tx, keys, change)) !== 1) {
            throw new CommitConflict();
          }
        }
      });
      return true;
    } catch (error) {
      if (error instanceof CommitConflict) {
        return false;
      }
      throw error;
    }
  }

  /** Until the end of the transaction: what is left behind by an uninstall no key opens, also after a new installation. */
  private async isInstalled(tx: Tx): Promise<boolean> {
    const found = await tx.rows(
      sql`SELECT FROM installation WHERE id = ${this.installationId} AND state <> 'uninstalled' FOR SHARE`,
    );
    return found.length === 1;
  }

  private async apply(tx: Tx, keys: DataKey, { key, value, expectedVersion }: StoreChange): Promise<number> {
    const { installationId, generation } = this;
    if (value === undefined) {
      return tx.execute(sql`
        DELETE FROM erp_value WHERE installation_id = ${installationId} AND generation = ${generation} AND key = ${key}
          AND version = ${expectedVersion}`);
    }
    const sealed = keys.seal('erp_value.sealed_value', JSON.stringify([key, value]));
    return expectedVersion === 0
      ? tx.execute(sql`
          INSERT INTO erp_value (installation_id, generation, key, version, sealed_value)
          VALUES (${installationId}, ${generation}, ${key}, 1, ${sealed}) ON CONFLICT DO NOTHING`)
      : tx.execute(sql`
          UPDATE erp_value SET version = version + 1, sealed_value = ${sealed}
          WHERE installation_id = ${installationId} AND generation = ${generation} AND key = ${key}
            AND version = ${expectedVersion}`);
  }

  private async opened(label: string, find: (tx: Tx) => Promise<readonly Row[]>) {
    return this.tenantDatabase.inInstallation(label, this.installationId, async (tx) => {
      const rows = await find(tx);
      const keys = await this.dataKeyRepository.find(tx, this.installationId);
      return rows.map(({ key, version, sealed_value: sealed }) => {
        const [, value] = JSON.parse(keys.unseal('erp_value.sealed_value', sealed)) as [string, JsonValue];
        return { key, version, value };
      });
    });
  }
}
