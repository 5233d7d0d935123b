import { Body, Controller, Post } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { newSecretText } from '../../../foundation/crypto/secret-text.js';
import { ControlApi } from '../access/access-rules.js';
import { CreateApiKey } from '../access/create-api-key.js';
import { RegisterClient } from '../authorization/register-client.js';
import { PLATFORM_SCOPES } from '../authorization/scopes.js';
import { parseBody } from '../wire/parse-request.js';

const scopes = z.array(z.enum(PLATFORM_SCOPES)).default([...PLATFORM_SCOPES]);
const clientSchema = z.strictObject({
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(16).optional(),
  name: z.string().default('Registered application'),
  redirectUris: z.array(z.url()).min(1),
  scopes,
});
const apiKeySchema = z
  .strictObject({
    name: z.string().default('API key'),
    companyId: z.guid().nullish(),
    organizationId: z.guid().nullish(),
    scopes,
    expiresInSeconds: z.int().positive().nullish(),
  })
  .refine(
    ({ companyId, organizationId }) => (companyId == null) !== (organizationId == null),
    'needs either companyId or organizationId',
  );

/** Credentials that the platform issues out of band. */
@ControlApi()
@Controller('control')
export class ControlAccessController {
  constructor(
    private readonly registerClient: RegisterClient,
    private readonly createApiKey: CreateApiKey,
  ) {}

  @Post('clients')
  async addClient(@Body() body: unknown): Promise<object> {
    const given = parseBody(clientSchema, body);
    return this.registerClient.register({
      ...given,
      clientId: given.clientId ?? randomUUID(),
      clientSecret: given.clientSecret ?? newSecretText(24),
    });
  }

  /** The response is the only place where the key is shown. */
  @Post('api-keys')
  async addApiKey(@Body() body: unknown): Promise<object> {
    const { companyId = null, organizationId = null, expiresInSeconds, ...given } = parseBody(apiKeySchema, body);
    return this.createApiKey.create({
      ...given,
      companyId,
      organizationId,
      expiresInSeconds: expiresInSeconds ?? null,
    });
  }
}
