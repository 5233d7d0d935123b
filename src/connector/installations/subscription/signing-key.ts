import { createSecretKey, type KeyObject } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const MIN_KEY_BYTES = 16;

/**
 * Decodes a secret of the platform, once for all the messages that it verifies.
 * @param secret `whsec_` + base64, or base64 alone (Standard Webhooks 1.0.0)
 * @throws Error on an empty or too short key: without a key nothing may ever verify.
 */
export function signingKey(secret: string): KeyObject {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const key = Buffer.from(encoded, 'base64');
  if (key.length < MIN_KEY_BYTES) {
    throw new Error('the signing secret of the subscription is empty or too short');
  }
  return createSecretKey(key);
}
