import type { InstallationId } from '../../../kernel/ids.js';
import { Permanent } from '../../../kernel/faults.js';
import { decrypt, encrypt } from './key-ring.js';
import { sealedLocationOf, type KeyRingService, type SealedColumn } from './key-ring.service.js';

const VERSION = 'v2.';

/** Encrypts one installation's secrets, each bound to its column (S25). */
export class DataKey {
  constructor(
    private readonly installationId: InstallationId,
    /** Undefined: never created, or destroyed. */
    private readonly key: Buffer | undefined,
    private readonly keyRingService: KeyRingService,
  ) {}

  /** @throws Permanent without a key */
  seal(column: SealedColumn, plaintext: string): string {
    return VERSION + encrypt(this.requireKey(), sealedLocationOf(column, this.installationId), plaintext);
  }

  /** @throws Permanent when the value belongs to another column or installation, or when the key is destroyed */
  unseal(column: SealedColumn, sealed: string): string {
    // Other versions are from before installations had data keys; the first write encrypts them again.
    return sealed.startsWith(VERSION)
      ? decrypt(this.requireKey(), sealedLocationOf(column, this.installationId), sealed.slice(VERSION.length))
      : this.keyRingService.unseal(column, this.installationId, sealed);
  }

  private requireKey(): Buffer {
    if (this.key === undefined) {
      throw new Permanent(`installation ${this.installationId} has no data key: its secrets are destroyed`);
    }
    return this.key;
  }
}
