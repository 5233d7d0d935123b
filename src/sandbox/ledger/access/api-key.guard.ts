import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';
import { Problem } from '../../../foundation/http/problem.js';
import { LedgerConfig } from '../ledger-config.js';
import { PUBLIC } from './public.decorator.js';

/** Accepts a request that carries the ledger's key as its bearer token, and every request to a public route. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly ledgerConfig: LedgerConfig,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Problem 401 without the right key */
  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, [context.getHandler(), context.getClass()])) {
      return true;
    }
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers.authorization ?? '';
    const [, key = ''] = /^bearer (\S+)$/i.exec(header) ?? [];
    if (!isSameSecret(this.ledgerConfig.apiKey.reveal(), key)) {
      throw new Problem({
        status: 401,
        type: 'not-authenticated',
        detail: 'Send the ledger key as "Authorization: Bearer <key>".',
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    return true;
  }
}
