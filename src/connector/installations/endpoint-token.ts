import { randomBytes } from 'node:crypto';

const BYTES = 24;

/** The unguessable last part of a webhook address, 192 bits (spec: reliability §e2 S16). */
export function newEndpointToken(): string {
  return randomBytes(BYTES).toString('base64url');
}
