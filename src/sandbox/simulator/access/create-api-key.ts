import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { newSecretText } from '../../../foundation/crypto/secret-text.js';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { notFound } from '../wire/api-error.js';
import { apiKeyDigest } from './authenticate-caller.js';
import { CallerRepository, type NewApiKey } from './caller.repository.js';

export interface ApiKeyRequest extends Pick<NewApiKey, 'name' | 'companyId' | 'organizationId' | 'scopes'> {
  /** Null: the key never expires. */
  readonly expiresInSeconds: number | null;
}

/** Creates an API key of a company or an organization. */
@Injectable()
export class CreateApiKey {
  constructor(
    private readonly callerRepository: CallerRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * @returns the key itself, which is stored as a digest only, and what it is for
   * @throws ApiError 404 for an unknown company
   */
  async create({ expiresInSeconds, ...request }: ApiKeyRequest): Promise<object> {
    const { name, companyId, scopes } = request;
    const now = this.simulatorClock.now();
    const key = `key_${newSecretText(24)}`;
    const stored = {
      ...request,
      id: randomUUID(),
      keyDigest: apiKeyDigest(key),
      applicationId: randomUUID(),
      expiresAt: expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1000),
      createdAt: now,
    };
    await this.database.inTransaction('create API key', async (tx) => {
      if (companyId !== null && !(await this.callerRepository.companyExists(tx, companyId))) {
        throw notFound('COMPANY_NOT_FOUND', 'There is no such company.');
      }
      await this.callerRepository.addApiKey(tx, stored);
    });
    return { id: stored.id, applicationId: stored.applicationId, apiKey: key, name, scopes };
  }
}
