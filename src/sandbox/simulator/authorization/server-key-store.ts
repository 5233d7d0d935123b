import type { Database } from '../../../foundation/database/database.js';
import type { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { makeStoredKeys, readStoredKeys, type ServerKeys } from './server-keys.js';

/** The keys of the authorization server; a class, so that they can be injected by type. */
export class ServerKeyStore {
  private constructor(readonly keys: ServerKeys) {}

  /** Loads the stored keys, or creates and stores them at the first start. */
  static async load(database: Database, states: SimulatorStateRepository): Promise<ServerKeyStore> {
    const created = makeStoredKeys();
    return new ServerKeyStore(
      readStoredKeys(await database.inTransaction('store server keys', (tx) => states.findOrStoreKeys(tx, created))),
    );
  }
}
