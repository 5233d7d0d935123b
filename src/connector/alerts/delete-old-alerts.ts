import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { AlertRepository } from './alert.repository.js';

/** A year's close, and the weeks after it, can look back. */
const RETENTION_MS = 400 * 24 * 3_600_000;

@Injectable()
export class DeleteOldAlerts {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly alertRepository: AlertRepository,
    private readonly clock: Clock,
  ) {}

  async deleteOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    await this.tenantDatabase.acrossInstallations('delete old alerts', (tx) =>
      this.alertRepository.deleteBefore(tx, before),
    );
  }
}
