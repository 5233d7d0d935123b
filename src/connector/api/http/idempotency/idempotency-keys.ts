import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../../kernel/ids.js';
import { DataKeyRepository } from '../../../installations/credentials/data-key.repository.js';
import { KeyRingService } from '../../../installations/credentials/key-ring.service.js';
import { IdempotencyKeyRepository, type KnownKey } from './idempotency-key.repository.js';

const COLUMN = 'idempotency_key.answer';
const OPERATOR_COLUMN = 'operator_idempotency_key.answer';

/** The installation of a key; undefined for the operator, for requests that concern no installation yet. */
export type KeyOwner = InstallationId | undefined;

/** Idempotency-Keys with their stored responses, each step in its own transaction. A response may hold a secret, so it is sealed. */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly idempotencyKeyRepository: IdempotencyKeyRepository,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly keyRingService: KeyRingService,
  ) {}

  /** @returns the number of this attempt, or undefined when the key is claimed */
  async claim(owner: KeyOwner, key: string, fingerprint: Buffer): Promise<number | undefined> {
    return this.transaction('claim idempotency key', owner, async (tx) => {
      await this.idempotencyKeyRepository.deleteExpired(tx, owner);
      return this.idempotencyKeyRepository.claim(tx, owner, key, fingerprint);
    });
  }

  /** @returns a claimed key with its response, unsealed */
  async find(owner: KeyOwner, key: string): Promise<KnownKey | undefined> {
    return this.transaction('find stored response', owner, async (tx) => {
      const known = await this.idempotencyKeyRepository.find(tx, owner, key);
      return known?.answer == null ? known : { ...known, answer: await this.unseal(tx, owner, known.answer) };
    });
  }

  async storeResponse(owner: KeyOwner, key: string, attempt: number, text: string): Promise<void> {
    await this.transaction('store response', owner, async (tx) => {
      const answer = await this.seal(tx, owner, text);
      await this.idempotencyKeyRepository.storeResponse(tx, owner, key, { attempt, answer });
    });
  }

  /** The request had no effect. */
  async release(owner: KeyOwner, key: string, attempt: number): Promise<void> {
    await this.transaction('release idempotency key', owner, (tx) =>
      this.idempotencyKeyRepository.release(tx, owner, key, attempt),
    );
  }

  private async transaction<T>(label: string, owner: KeyOwner, work: (tx: Tx) => Promise<T>): Promise<T> {
    return owner === undefined
      ? this.tenantDatabase.withoutInstallation(label, work)
      : this.tenantDatabase.inInstallation(label, owner, work);
  }

  private async seal(tx: Tx, owner: KeyOwner, text: string): Promise<string> {
    return owner === undefined
      ? this.keyRingService.seal(OPERATOR_COLUMN, 'operator', text)
      : (await this.dataKeyRepository.findOrCreate(tx, owner)).seal(COLUMN, text);
  }

  private async unseal(tx: Tx, owner: KeyOwner, sealed: string): Promise<string> {
    return owner === undefined
      ? this.keyRingService.unseal(OPERATOR_COLUMN, 'operator', sealed)
      : (await this.dataKeyRepository.findOrCreate(tx, owner)).unseal(COLUMN, sealed);
  }
}
