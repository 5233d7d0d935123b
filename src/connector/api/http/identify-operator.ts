import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { bearerTokenOf } from '../../../foundation/http/bearer-token.js';
import { LookedUp, markCallerKnown } from '../../../foundation/http/known-caller.js';
import { message } from '../../../kernel/message.js';
import { OperatorSessionsService } from '../../access/operator-sessions.service.js';
import { OperatorTokensService } from '../../access/operator-tokens.service.js';
import { ConnectorSite } from '../../access/connector-site.js';
import { OperatorToken } from './operator-token.js';
import { problem } from './problems.js';

const operators = new WeakMap<FastifyRequest, string>();

/** Who operates, as the audit log names them; undefined for every other request. */
export function findOperator(request: FastifyRequest): string | undefined {
  return operators.get(request);
}

/** Identifies an operator of the hosted service by the token of the request, or by the session that one has begun. */
@Injectable()
export class IdentifyOperator {
  private readonly identified = new LookedUp<string | undefined>();

  constructor(
    private readonly operatorToken: OperatorToken,
    private readonly operatorTokensService: OperatorTokensService,
    private readonly operatorSessionsService: OperatorSessionsService,
    private readonly connectorSite: ConnectorSite,
  ) {}

  /**
   * Looks once for a request, before its body is read; and once more when that took a while.
   * @returns the name for the audit log: `operator <name>`, or `operator` alone in a sandbox
   */
  async identify(request: FastifyRequest): Promise<string | undefined> {
    const found = await this.identified.find(request, () => this.find(request));
    if (found !== undefined) {
      operators.set(request, found);
      markCallerKnown(request);
    }
    return found;
  }

  /**
   * Looks anew each time, for a request that takes long.
   * @returns the name for the audit log; undefined for a request of no operator, or when the token, or the session, has ended
   */
  async find(request: FastifyRequest): Promise<string | undefined> {
    const token = bearerTokenOf(request);
    if (token === undefined) {
      return this.findBySession(this.connectorSite.operatorSessionIdOf(request));
    }
    if (this.operatorToken.isSame(token)) {
      return 'operator';
    }
    const name = await this.operatorTokensService.findName(token);
    return name && `operator ${name}`;
  }

  /** @throws Problem 401 for a request without an operator's token */
  async assertPresented(request: FastifyRequest): Promise<void> {
    if ((await this.identify(request)) === undefined) {
      throw problem('not-authenticated', message('problem.not-authenticated.operator'), {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
  }

  /** The token is looked up each time: a session ends with it. */
  private async findBySession(sessionId: string | undefined): Promise<string | undefined> {
    const hash = sessionId && (await this.operatorSessionsService.findTokenHash(sessionId));
    if (!hash) {
      return undefined;
    }
    if (this.operatorToken.isOf(hash)) {
      return 'operator';
    }
    const name = await this.operatorTokensService.findNameOf(hash);
    return name && `operator ${name}`;
  }
}
