import type { Secret } from '../../../foundation/config/secret.js';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';

/** The operator's credential for the hosted service; without one the operator's routes do not exist. */
export class OperatorToken {
  constructor(private readonly token: Secret | undefined) {}

  get isSet(): boolean {
    return this.token !== undefined;
  }

  matches(candidate: string): boolean {
    return this.token !== undefined && isSameSecret(this.token.reveal(), candidate);
  }
}
