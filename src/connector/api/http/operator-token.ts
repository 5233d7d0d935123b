import type { Secret } from '../../../foundation/config/secret.js';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';

/** The one operator token of a sandbox or a test, from its environment. Production refuses it: there operators have names. */
export class OperatorToken {
  constructor(private readonly token: Secret | undefined) {}

  isSame(candidate: string): boolean {
    return this.token !== undefined && isSameSecret(this.token.reveal(), candidate);
  }
}
