import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 24;

/** A new secret as subscribers get it: `whsec_` and Base64 (P2.4). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
