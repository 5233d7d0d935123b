import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { eachInTurn } from '../../runs/each-in-turn.js';
import { ConnectionAttemptRepository } from '../connect/connection-attempt.repository.js';
import { Uninstall } from '../uninstall/uninstall.js';
import { DataKeyRepository, type WrappedBy } from './data-key.repository.js';
import { KeyRingService } from './key-ring.service.js';
import { RewrapKeys } from './rewrap-keys.js';

/** As long as an uninstall may take to notify the platform: until then its own process still destroys the key. */
const LEFTOVER_AFTER_SECONDS = 16;
/** Most interrupted uninstalls that one call completes. */
const MAX_LEFTOVERS = 100;

/** Keeps stored secrets only as long as they are needed, and under the current key of the ring (S26). */
@Injectable()
export class RotateKeys {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly connectionAttemptRepository: ConnectionAttemptRepository,
    private readonly keyRingService: KeyRingService,
    private readonly rewrapKeys: RewrapKeys,
    private readonly uninstall: Uninstall,
  ) {}

  /**
   * Deletes the grants of abandoned attempts, completes interrupted uninstalls (I32), then wraps every data key with the
   * first key of the ring.
   * @param stopping ends the call after the installation that it is at
   */
  async rotate(stopping: AbortSignal): Promise<void> {
    await this.tenantDatabase.withoutInstallation('delete abandoned attempts', (tx) =>
      this.connectionAttemptRepository.deleteAbandoned(tx),
    );
    const leftovers = await this.tenantDatabase.acrossInstallations('find leftover data keys', (tx) =>
      this.dataKeyRepository.findUndestroyed(tx, LEFTOVER_AFTER_SECONDS, MAX_LEFTOVERS),
    );
    await eachInTurn(
      [
        () => eachInTurn(leftovers, (installationId) => this.uninstall.resumeInterrupted(installationId)),
        () => this.rewrapKeys.rewrapAll(stopping),
      ],
      (step) => step(),
    );
  }

  /** For the operator: how many data keys each key of the ring wraps. */
  async progress(): Promise<{ readonly primary: string; readonly wrapped: readonly WrappedBy[] }> {
    const wrapped = await this.tenantDatabase.acrossInstallations('count data keys', (tx) =>
      this.dataKeyRepository.countByRingKey(tx),
    );
    return { primary: this.keyRingService.primary, wrapped };
  }
}
