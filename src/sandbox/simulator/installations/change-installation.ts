import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { newInstallation, type Installation } from './installation.js';
import { InstallationRepository, type InstallationOwner } from './installation.repository.js';

/** Reads, creates and changes the caller's own installation (P3.6). */
@Injectable()
export class ChangeInstallation {
  constructor(
    private readonly installationRepository: InstallationRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 404 */
  async get(caller: Caller): Promise<Installation> {
    return this.database.inTransaction('get installation', (tx) => this.own(tx, caller));
  }

  /** @throws ApiError 400 when the application is installed already */
  async create(caller: Caller, given: Pick<Installation, 'metadata' | 'status'>): Promise<Installation> {
    const fresh = newInstallation(caller, this.simulatorClock.now(), given);
    return this.database.inTransaction('create installation', async (tx) => {
      const kept = await this.installationRepository.findOrAdd(tx, fresh);
      if (kept.id !== fresh.id) {
        throw new ApiError(400, 'INSTALLATION_ALREADY_EXISTS', 'This application is installed already.');
      }
      return kept;
    });
  }

  /** The installation of an application for a resource: the one that exists, or a new one in `AUTHORIZED`. */
  async install(tx: Tx, owner: InstallationOwner): Promise<Installation> {
    return this.installationRepository.findOrAdd(tx, newInstallation(owner, this.simulatorClock.now()));
  }

  /** @throws ApiError 404 */
  async change(caller: Caller, changes: (installation: Installation) => Partial<Installation>): Promise<Installation> {
    return this.database.inTransaction('change installation', async (tx) => {
      const installation = await this.own(tx, caller);
      const changed = { ...installation, ...changes(installation), updatedAt: this.simulatorClock.now() };
      await this.installationRepository.change(tx, changed);
      return changed;
    });
  }

  private async own(tx: Tx, caller: Caller): Promise<Installation> {
    const found = await this.installationRepository.find(tx, caller);
    if (found === undefined) {
      throw installationNotFound();
    }
    return found;
  }
}

export function installationNotFound(): ApiError {
  return notFound('INSTALLATION_NOT_FOUND', 'Installation not found.');
}
