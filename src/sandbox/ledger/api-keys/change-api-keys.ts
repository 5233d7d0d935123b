import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../../foundation/crypto/secret-text.js';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { CompanyRepository } from '../companies/company.repository.js';
import type { CreatedApiKeyDto } from './api-key.dto.js';
import { ApiKeyRepository } from './api-key.repository.js';

const MAX_KEYS = 20;

/** Creates and deletes the keys that open one company. */
@Injectable()
export class ChangeApiKeys {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly apiKeyRepository: ApiKeyRepository,
  ) {}

  /**
   * @param companyId of a company that exists
   * @returns with the key itself, which is stored as a digest only
   * @throws Problem 409 when the company has 20 keys
   */
  async create(companyId: string): Promise<CreatedApiKeyDto> {
    return this.database.inTransaction('api-keys.create', (tx) => this.createIn(tx, companyId));
  }

  /** `create` as part of a larger transaction. */
  async createIn(tx: Tx, companyId: string): Promise<CreatedApiKeyDto> {
    const apiKey = `ledger_${newSecretText()}`;
    await this.companyRepository.lock(tx, companyId);
    if ((await this.apiKeyRepository.list(tx, companyId)).length >= MAX_KEYS) {
      const detail = `A company has at most ${MAX_KEYS.toString()} keys. Delete one that is not used any more.`;
      throw new Problem({ status: 409, type: 'too-many-api-keys', detail });
    }
    const { id, createdAt } = await this.apiKeyRepository.insert(tx, companyId, sha256(apiKey));
    return { id, createdAt, apiKey };
  }

  /**
   * The key opens nothing from the next request on.
   * @throws Problem 404 when the company has no such key
   */
  async delete(companyId: string, keyId: string): Promise<void> {
    const isDeleted =
      isUuid(keyId) &&
      (await this.database.inTransaction('api-keys.delete', (tx) =>
        this.apiKeyRepository.delete(tx, companyId, keyId),
      ));
    if (!isDeleted) {
      throw new Problem({ status: 404, type: 'api-key-not-found', detail: `The company has no key ${keyId}.` });
    }
  }
}
