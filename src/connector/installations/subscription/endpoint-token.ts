import { newSecretText } from '../../../foundation/crypto/secret-text.js';

const BYTES = 24;

/** The unguessable last part of a webhook address, 192 bits (spec: reliability §e2 S16). */
export function newEndpointToken(): string {
  return newSecretText(BYTES);
}
