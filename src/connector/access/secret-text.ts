import { createHash, createHmac, randomBytes } from 'node:crypto';

const BYTES = 32;

/** 256 bits that nobody guesses. */
export function newSecretText(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** What is stored of a token or session id. It is looked up as a whole, so the time taken tells nothing about the secret. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * What a page of ours puts into its forms. It follows from the session's id, which no other site knows, and does not lead
 * back to it.
 */
export function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('base64url');
}
