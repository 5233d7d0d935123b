import type { InstallationId } from '../../../kernel/ids.js';
import { Permanent } from '../../../kernel/faults.js';
import { decrypt, encrypt } from './key-ring.js';
import { sealedPlaceOf, type KeyRingService, type SealedColumn } from './key-ring.service.js';

const VERSION = 'v2.';

/** Seals one installation's secrets. Its values open with it alone, each in its own column (S25). */
export class DataKey {
  constructor(
    private readonly installationId: InstallationId,
    /** Undefined: never made, or destroyed. */
    private readonly key: Buffer | undefined,
    private readonly keyRingService: KeyRingService,
  ) {}

  /** @throws Permanent without a key */
  seal(column: SealedColumn, plaintext: string): string {
    return VERSION + encrypt(this.requireKey(), sealedPlaceOf(column, this.installationId), plaintext);
  }

  /** @throws Permanent when the value belongs elsewhere or the installation's key is destroyed */
  unseal(column: SealedColumn, sealed: string): string {
    // Values from before installations had keys of their own; its first write seals them anew.
    return sealed.startsWith(VERSION)
      ? decrypt(this.requireKey(), sealedPlaceOf(column, this.installationId), sealed.slice(VERSION.length))
      : this.keyRingService.unseal(column, this.installationId, sealed);
  }

  private requireKey(): Buffer {
    if (this.key === undefined) {
      throw new Permanent(`installation ${this.installationId} has no data key: its secrets are destroyed`);
    }
    return this.key;
  }
}
