import { newSecretText } from '../../../foundation/crypto/secret-text.js';

const BYTES = 24;

/** @returns the unguessable last part of a webhook address, 192 bits (S16) */
export function newEndpointToken(): string {
  return newSecretText(BYTES);
}
