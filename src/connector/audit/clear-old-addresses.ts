import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';

/** How long addresses of downloads are kept: `CONNECTOR_ADDRESS_DAYS`. */
export class AddressRetention {
  constructor(readonly days: number) {}
}

/** Forgets from which addresses files were taken out, once their time is over. The audit log stays as it is: it has digests. */
@Injectable()
export class ClearOldAddresses {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly addressRetention: AddressRetention,
  ) {}

  /** Repeatable. */
  async clearOld(): Promise<void> {
    await this.tenantDatabase.acrossInstallations('clear old addresses', (tx) =>
      tx.execute(sql`
        UPDATE download SET from_ip = NULL, from_ip_salt = NULL
        WHERE has_ip AND started_at < clock_timestamp() - make_interval(days => ${this.addressRetention.days})`),
    );
  }
}
