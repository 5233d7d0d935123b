import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { bearerTokenOf } from '../../../foundation/http/bearer-token.js';
import { markCallerKnown } from '../../../foundation/http/known-caller.js';
import { OperatorTokensService } from '../../access/operator-tokens.service.js';
import { OperatorToken } from './operator-token.js';
import { problem } from './problems.js';

const operators = new WeakMap<FastifyRequest, string>();

/** Who operates, as the audit log names them; undefined for every other request. */
export function findOperator(request: FastifyRequest): string | undefined {
  return operators.get(request);
}

/** Identifies an operator of the hosted service by the token of the request. */
@Injectable()
export class IdentifyOperator {
  private readonly identified = new WeakMap<FastifyRequest, Promise<string | undefined>>();

  constructor(
    private readonly operatorToken: OperatorToken,
    private readonly operatorTokensService: OperatorTokensService,
  ) {}

  /**
   * Looks once for a request, before its body is read.
   * @returns the name for the audit log: `operator <name>`, or `operator` alone in a sandbox
   */
  async identify(request: FastifyRequest): Promise<string | undefined> {
    const finding = this.identified.get(request) ?? this.find(bearerTokenOf(request));
    this.identified.set(request, finding);
    const found = await finding;
    if (found !== undefined) {
      operators.set(request, found);
      markCallerKnown(request);
    }
    return found;
  }

  /** @throws Problem 401 for a request without an operator's token */
  async assertPresented(request: FastifyRequest): Promise<void> {
    if ((await this.identify(request)) === undefined) {
      throw problem('not-authenticated', 'Send an operator token as "Authorization: Bearer <token>".', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
  }

  private async find(token: string | undefined): Promise<string | undefined> {
    if (token === undefined || this.operatorToken.isSame(token)) {
      return token && 'operator';
    }
    const name = await this.operatorTokensService.findName(token);
    return name && `operator ${name}`;
  }
}
