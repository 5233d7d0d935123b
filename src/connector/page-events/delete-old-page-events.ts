import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { RETENTION_SECONDS } from './page-event.reader.js';

@Injectable()
export class DeleteOldPageEvents {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** By the database's clock, as they were written. */
  async deleteOld(): Promise<void> {
    await this.tenantDatabase.acrossInstallations('delete old page events', (tx) =>
      tx.execute(sql`
        DELETE FROM page_event WHERE occurred_at < clock_timestamp() - make_interval(secs => ${RETENTION_SECONDS})`),
    );
  }
}
