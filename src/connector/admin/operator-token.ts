import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../foundation/config/secret.js';

/** The operator's password to the hosted service; without one the operator's routes do not exist. */
export class OperatorToken {
  private readonly expected: Buffer | undefined;

  constructor(token: Secret | undefined) {
    this.expected = token === undefined ? undefined : digest(token.reveal());
  }

  get isSet(): boolean {
    return this.expected !== undefined;
  }

  matches(candidate: string): boolean {
    return this.expected !== undefined && timingSafeEqual(digest(candidate), this.expected);
  }
}

/** Digests have one length, so the comparison takes the same time for every candidate. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
