import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { InstallationsService } from '../../installations/installations.service.js';
import { KeyRingService } from '../../installations/credentials/key-ring.service.js';
import { IdempotencyKeyRepository, type KnownKey } from './idempotency-key.repository.js';

const COLUMN = 'idempotency_key.answer';
const OPERATOR_COLUMN = 'operator_idempotency_key.answer';

/** Whose a key is: an installation's; undefined: the operator's, for what concerns no installation yet. */
export type KeyOwner = InstallationId | undefined;

/** Idempotency-Keys with their answers, each step in a transaction of its own. An answer may hold a secret, so it is sealed. */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly database: TenantDatabase,
    private readonly keys: IdempotencyKeyRepository,
    private readonly installations: InstallationsService,
    private readonly keyRing: KeyRingService,
  ) {}

  /** @returns the number of this attempt, or undefined when the key is taken */
  async claim(owner: KeyOwner, key: string, fingerprint: Buffer): Promise<number | undefined> {
    return this.transaction('claim idempotency key', owner, async (tx) => {
      await this.keys.forgetOld(tx, owner);
      return this.keys.claim(tx, owner, key, fingerprint);
    });
  }

  /** @returns a key that was taken, its answer as it was kept */
  async find(owner: KeyOwner, key: string): Promise<KnownKey | undefined> {
    return this.transaction('find answer', owner, async (tx) => {
      const known = await this.keys.find(tx, owner, key);
      return known?.answer == null ? known : { ...known, answer: await this.unseal(tx, owner, known.answer) };
    });
  }

  async keepAnswer(owner: KeyOwner, key: string, attempt: number, text: string): Promise<void> {
    await this.transaction('keep answer', owner, async (tx) => {
      const answer = await this.seal(tx, owner, text);
      await this.keys.keepAnswer(tx, owner, key, { attempt, answer });
    });
  }

  /** Nothing came of the request. */
  async giveBack(owner: KeyOwner, key: string, attempt: number): Promise<void> {
    await this.transaction('give key back', owner, (tx) => this.keys.giveBack(tx, owner, key, attempt));
  }

  private async transaction<T>(label: string, owner: KeyOwner, work: (tx: Tx) => Promise<T>): Promise<T> {
    return owner === undefined
      ? this.database.withoutInstallation(label, work)
      : this.database.inInstallation(label, owner, work);
  }

  private async seal(tx: Tx, owner: KeyOwner, text: string): Promise<string> {
    return owner === undefined
      ? this.keyRing.seal(OPERATOR_COLUMN, 'operator', text)
      : (await this.installations.dataKeyOf(tx, owner)).seal(COLUMN, text);
  }

  private async unseal(tx: Tx, owner: KeyOwner, sealed: string): Promise<string> {
    return owner === undefined
      ? this.keyRing.unseal(OPERATOR_COLUMN, 'operator', sealed)
      : (await this.installations.dataKeyOf(tx, owner)).unseal(COLUMN, sealed);
  }
}
