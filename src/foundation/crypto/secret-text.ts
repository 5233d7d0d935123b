import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from './sha256.js';

/**
 * A text that cannot be guessed, fit for addresses, headers and cookies.
 * @param bytes of chance in it; 32 of them are 256 bits
 */
export function newSecretText(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Compares by digests, which have one length: the time it takes reveals nothing about the secret, not even its length. */
export function isSameSecret(expected: string, given: string): boolean {
  return timingSafeEqual(sha256(expected), sha256(given));
}
