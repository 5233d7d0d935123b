import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { QuarantineRepository } from './quarantine.repository.js';

/** Deletes the bodies of quarantined messages after a week; the rows stay (D1.31). */
@Injectable()
export class DeleteOldBodies {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly quarantineRepository: QuarantineRepository,
  ) {}

  async deleteOld(): Promise<void> {
    await this.tenantDatabase.acrossInstallations('delete old bodies', (tx) =>
      this.quarantineRepository.deleteOldBodies(tx),
    );
  }
}
