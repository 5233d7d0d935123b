import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { newSecretText } from '../../../foundation/crypto/secret-text.js';
import { Database } from '../../../foundation/database/database.js';
import { apiKeyDigest } from '../access/authenticate-caller.js';
import { CallerRepository } from '../access/caller.repository.js';
import { OAuthClientRepository } from '../authorization/oauth-client.repository.js';
import { PLATFORM_SCOPES } from '../authorization/scopes.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError } from '../wire/api-error.js';
import { parseBody } from '../wire/parse-request.js';
import { ControlGuard } from './control.guard.js';

const scopes = z.array(z.enum(PLATFORM_SCOPES)).default([...PLATFORM_SCOPES]);
const clientSchema = z.object({
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(16).optional(),
  name: z.string().default('Registered application'),
  redirectUris: z.array(z.url()).min(1),
  scopes,
});
const apiKeySchema = z
  .object({
    name: z.string().default('API key'),
    companyId: z.uuid().nullish(),
    organizationId: z.uuid().nullish(),
    scopes,
    expiresInSeconds: z.int().positive().nullish(),
  })
  .refine(
    ({ companyId, organizationId }) => (companyId == null) !== (organizationId == null),
    'needs either companyId or organizationId',
  );

/** Credentials that on the platform are issued out of band. */
@Controller('control')
@UseGuards(ControlGuard)
export class ControlAccessController {
  constructor(
    private readonly oAuthClientRepository: OAuthClientRepository,
    private readonly callerRepository: CallerRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  @Post('clients')
  async registerClient(@Body() body: unknown): Promise<object> {
    const given = parseBody(clientSchema, body);
    const client = {
      ...given,
      applicationId: randomUUID(),
      clientId: given.clientId ?? randomUUID(),
      clientSecret: given.clientSecret ?? newSecretText(24),
    };
    return this.database.inTransaction('register client', (tx) =>
      this.oAuthClientRepository.register(tx, client, this.simulatorClock.now()),
    );
  }

  /** The key is shown this once. */
  @Post('api-keys')
  async createApiKey(@Body() body: unknown): Promise<object> {
    const {
      name,
      companyId = null,
      organizationId = null,
      scopes: granted,
      expiresInSeconds,
    } = parseBody(apiKeySchema, body);
    const now = this.simulatorClock.now();
    const key = `key_${newSecretText(24)}`;
    const stored = {
      id: randomUUID(),
      keyDigest: apiKeyDigest(key),
      applicationId: randomUUID(),
      name,
      companyId,
      organizationId,
      scopes: granted,
      expiresAt: expiresInSeconds == null ? null : new Date(now.getTime() + expiresInSeconds * 1000),
      createdAt: now,
    };
    await this.database.inTransaction('create API key', async (tx) => {
      if (companyId !== null && !(await this.callerRepository.companyExists(tx, companyId))) {
        throw new ApiError(404, 'COMPANY_NOT_FOUND', 'There is no such company.');
      }
      await this.callerRepository.addApiKey(tx, stored);
    });
    return { id: stored.id, applicationId: stored.applicationId, apiKey: key, name, scopes: granted };
  }
}
