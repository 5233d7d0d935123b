import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { Database } from '../../../foundation/database/database.js';
import { AccessTokens } from '../authorization/access-tokens.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { idOfResource, resourceUrn } from '../wire/resource-urn.js';
import { CallerRepository } from './caller.repository.js';
import { unauthorized, type Caller } from './caller.js';

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;
const BASIC = /^Basic +([A-Za-z0-9+/=]+)$/i;

/** What is stored of an API key instead of the key. */
export function apiKeyDigest(key: string): string {
  return sha256Hex(key);
}

@Injectable()
export class AuthenticateCaller {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly callerRepository: CallerRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * Finds who is behind an `Authorization` header: an access token as Bearer, or an API key as Bearer or as the user
   * name of Basic with an empty password (P0.3).
   * @throws ApiError 401
   */
  async authenticate(header: string | undefined): Promise<Caller> {
    const bearer = BEARER.exec(header ?? '')?.[1];
    const apiKey = bearer ?? apiKeyOfBasic(header);
    const token = bearer === undefined ? undefined : this.accessTokens.verify(bearer);
    const caller =
      token !== undefined
        ? await this.callerOfConsent(token.grantId, token.scopes)
        : apiKey === undefined
          ? undefined
          : await this.callerOfApiKey(apiKey);
    if (caller === undefined) {
      throw unauthorized();
    }
    return caller;
  }

  private async callerOfConsent(grantId: string, scopes: readonly string[]): Promise<Caller | undefined> {
    const found = await this.database.readOnce('find caller of a token', (tx) =>
      this.callerRepository.findByGrant(tx, grantId),
    );
    if (found === undefined) {
      return undefined;
    }
    const { companyId, ...identity } = found;
    const companyIds = companyId === null ? await this.companyIdsOf(idOfResource(identity.resource)) : [companyId];
    return { ...identity, authMethod: 'OAUTH2', scopes, companyIds };
  }

  private async callerOfApiKey(key: string): Promise<Caller | undefined> {
    const found = await this.database.readOnce('find caller of an API key', (tx) =>
      this.callerRepository.findApiKey(tx, apiKeyDigest(key), this.simulatorClock.now()),
    );
    if (found === undefined) {
      return undefined;
    }
    const { id, name, applicationId, companyId, organizationId, scopes } = found;
    const resource =
      companyId === null ? resourceUrn('organisation', organizationId ?? '') : resourceUrn('company', companyId);
    const companyIds = companyId === null ? await this.companyIdsOf(organizationId ?? '') : [companyId];
    const identity = { applicationId, applicationName: name, clientId: id, resource };
    return { ...identity, authMethod: 'API_KEY', scopes, companyIds };
  }

  private async companyIdsOf(organizationId: string): Promise<readonly string[]> {
    return this.database.readOnce('find companies of a caller', (tx) =>
      this.callerRepository.companyIdsOfOrganization(tx, organizationId),
    );
  }
}

function apiKeyOfBasic(header: string | undefined): string | undefined {
  const encoded = BASIC.exec(header ?? '')?.[1];
  const [key, password] = encoded === undefined ? [] : Buffer.from(encoded, 'base64').toString().split(':');
  return password === '' ? key : undefined;
}
