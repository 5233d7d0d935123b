import { Injectable } from '@nestjs/common';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { Database } from '../../../foundation/database/database.js';
import type { ApiKeyDto } from './api-key.dto.js';
import { ApiKeyRepository } from './api-key.repository.js';

@Injectable()
export class ApiKeyReader {
  constructor(
    private readonly database: Database,
    private readonly apiKeyRepository: ApiKeyRepository,
  ) {}

  /**
   * Looks the key up by its digest: the time that an index takes to compare digests reveals nothing about a key.
   * @returns id of the company that the key opens; undefined for an unknown key
   */
  async findCompany(apiKey: string): Promise<string | undefined> {
    return this.database.inTransaction('api-keys.find', (tx) => this.apiKeyRepository.findCompany(tx, sha256(apiKey)));
  }

  async list(companyId: string): Promise<readonly ApiKeyDto[]> {
    return this.database.inTransaction('api-keys.list', (tx) => this.apiKeyRepository.list(tx, companyId));
  }
}
