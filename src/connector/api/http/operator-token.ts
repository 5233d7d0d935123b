import type { FastifyRequest } from 'fastify';
import type { Secret } from '../../../foundation/config/secret.js';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';
import { bearerTokenOf } from '../../../foundation/http/bearer-token.js';
import { markCallerKnown } from '../../../foundation/http/known-caller.js';
import { notFound, problem } from './problems.js';

/** The operator's credential for the hosted service; without one the operator's routes do not exist. */
export class OperatorToken {
  constructor(private readonly token: Secret | undefined) {}

  isPresented(request: FastifyRequest): boolean {
    const candidate = bearerTokenOf(request);
    return this.token !== undefined && candidate !== undefined && isSameSecret(this.token.reveal(), candidate);
  }

  /** @throws Problem 401 for a request without the token, 404 where there is none */
  assertPresented(request: FastifyRequest): void {
    if (this.token === undefined) {
      throw notFound('There is nothing at this address.');
    }
    if (!this.isPresented(request)) {
      throw problem('not-authenticated', 'Send the operator token as "Authorization: Bearer <token>".', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    markCallerKnown(request);
  }
}
