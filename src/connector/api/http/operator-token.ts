import type { Secret } from '../../../foundation/config/secret.js';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';

/** The one operator token of a sandbox or a test, from its environment. Production refuses it: there operators have names. */
export class OperatorToken {
  constructor(private readonly token: Secret | undefined) {}

  isSame(candidate: string): boolean {
    return this.token !== undefined && isSameSecret(this.token.reveal(), candidate);
  }

  /** @param hash of the token that began a session */
  isOf(hash: Buffer): boolean {
    return this.token !== undefined && sha256(this.token.reveal()).equals(hash);
  }
}
