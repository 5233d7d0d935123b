import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { Bug } from '../../../kernel/faults.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { makeStoredKeys, readStoredKeys, type ServerKeys } from './server-keys.js';

/** Holds the authorization server's keys once the program has started. */
@Injectable()
export class ServerKeyStore {
  private loaded: ServerKeys | undefined;

  constructor(
    private readonly database: Database,
    private readonly simulatorStateRepository: SimulatorStateRepository,
  ) {}

  async load(): Promise<void> {
    const made = makeStoredKeys();
    const stored = await this.database.inTransaction('keep server keys', (tx) =>
      this.simulatorStateRepository.findOrStoreKeys(tx, made),
    );
    this.loaded = readStoredKeys(stored);
  }

  /** @throws Bug before `load` */
  get keys(): ServerKeys {
    if (this.loaded === undefined) {
      throw new Bug('the authorization server is used before its keys are loaded');
    }
    return this.loaded;
  }
}
