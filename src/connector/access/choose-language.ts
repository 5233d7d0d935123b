import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';

/** In which language a member reads what the API says. */
@Injectable()
export class ChooseLanguage {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @param language as `LANGUAGES` has it; null: as the browser prefers */
  async choose(installationId: InstallationId, memberId: string, language: string | null): Promise<void> {
    await this.tenantDatabase.inInstallation('choose language', installationId, (tx) =>
      tx.execute(sql`
        UPDATE member SET language = ${language} WHERE installation_id = ${installationId} AND id = ${memberId}`),
    );
  }
}
