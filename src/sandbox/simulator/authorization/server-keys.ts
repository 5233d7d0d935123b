import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import { z } from 'zod';
import { newSecretText } from '../../../foundation/crypto/secret-text.js';

/** What the authorization server signs with. Made at first start and kept in the database. */
export interface ServerKeys {
  readonly jwk: JWK;
  readonly publicKey: KeyObject;
  readonly cookieKey: string;
}

export const SIGNING_ALGORITHM = 'ES256';

const storedKey = z.object({
  kty: z.literal('EC'),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});

/** New keys in the form they are stored in. */
export function makeStoredKeys(): { readonly signingKey: string; readonly cookieKey: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    signingKey: JSON.stringify(privateKey.export({ format: 'jwk' })),
    cookieKey: newSecretText(),
  };
}

/** @throws ZodError when the stored key is not one of ours */
export function readStoredKeys(stored: { readonly signingKey: unknown; readonly cookieKey: string }): ServerKeys {
  const key = storedKey.parse(stored.signingKey);
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return {
    jwk: { ...key, use: 'sig', alg: SIGNING_ALGORITHM, kid: 'simulator' },
    publicKey: createPublicKey(privateKey),
    cookieKey: stored.cookieKey,
  };
}
