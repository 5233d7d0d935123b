import { Injectable } from '@nestjs/common';
import { verify } from 'node:crypto';
import { z } from 'zod';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorConfig } from '../simulator-config.js';
import { ServerKeyStore } from './server-key-store.js';

const headerSchema = z.object({ alg: z.literal('ES256'), typ: z.literal('at+jwt') });
const claimsSchema = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  jti: z.string(),
  client_id: z.string(),
  scope: z.string().default(''),
  iat: z.int(),
  exp: z.int(),
  grant_id: z.string(),
  subject_urn: z.string(),
});

export interface VerifiedToken {
  readonly grantId: string;
  readonly scopes: readonly string[];
  readonly claims: z.output<typeof claimsSchema>;
}

/** Checks access tokens as a resource server does (RFC 9068 §4). */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly serverKeyStore: ServerKeyStore,
    private readonly simulatorClock: SimulatorClock,
    private readonly simulatorConfig: SimulatorConfig,
  ) {}

  /**
   * @returns undefined when the text is no access token of this server or has expired by the simulator's clock;
   * the consent itself is not checked
   */
  verify(token: string): VerifiedToken | undefined {
    const [header = '', payload = '', signature = '', ...rest] = token.split('.');
    const known = headerSchema.safeParse(jsonOf(header));
    const claims = claimsSchema.safeParse(jsonOf(payload));
    if (!known.success || !claims.success || rest.length > 0) {
      return undefined;
    }
    const key = { key: this.serverKeyStore.keys.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const signed = verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
    const { iss, aud, exp, scope, grant_id: grantId } = claims.data;
    const addressed = iss === this.simulatorConfig.publicUrl && aud === this.simulatorConfig.publicUrl;
    return signed && addressed && exp * 1000 > this.simulatorClock.now().getTime()
      ? { grantId, scopes: scope.split(' ').filter((name) => name !== ''), claims: claims.data }
      : undefined;
  }
}

function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}
