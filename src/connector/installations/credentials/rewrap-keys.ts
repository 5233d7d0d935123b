// After a new first key was added to CREDENTIAL_KEYS, the data keys are wrapped with it one by one, each in a transaction of
// its own: an interrupted call leaves the rest to the next one (S26).
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { eachInTurn } from '../../runs/each-in-turn.js';
import { DataKeyRepository } from './data-key.repository.js';

const BATCH = 100;

@Injectable()
export class RewrapKeys {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly dataKeyRepository: DataKeyRepository,
  ) {}

  /**
   * A key that does not open keeps no other from being wrapped.
   * @param stopping ends the call after the installation that it is at
   * @throws the first failure
   */
  async rewrapAll(stopping: AbortSignal): Promise<void> {
    let stale: readonly InstallationId[];
    do {
      stale = await this.tenantDatabase.acrossInstallations('find stale data keys', (tx) =>
        this.dataKeyRepository.findStale(tx, BATCH),
      );
      await eachInTurn(stale, async (installationId) => {
        if (!stopping.aborted) {
          await this.rewrap(installationId);
        }
      });
    } while (stale.length === BATCH && !stopping.aborted);
  }

  private async rewrap(installationId: InstallationId): Promise<void> {
    await this.tenantDatabase.inInstallation('rewrap data key', installationId, async (tx) => {
      await this.dataKeyRepository.findOrCreate(tx, installationId);
      await this.dataKeyRepository.rewrap(tx, installationId);
    });
  }
}
