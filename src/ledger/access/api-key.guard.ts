import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { createHash, timingSafeEqual } from 'node:crypto';
import { Secret } from '../../foundation/config/secret.js';
import { Problem } from '../../foundation/http/problem.js';
import { PUBLIC } from './public.decorator.js';

/** Lets a request pass that shows the ledger's key as a bearer token. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly expected: Buffer;

  constructor(
    apiKey: Secret,
    private readonly reflector: Reflector,
  ) {
    this.expected = digestOf(apiKey.reveal());
  }

  /** @throws Problem 401 without the right key */
  canActivate(context: ExecutionContext): boolean {
    if (
      this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, [
        context.getHandler(),
        context.getClass(),
      ])
    ) {
      return true;
    }
    const header = context.switchToHttp().getRequest<FastifyRequest>().headers.authorization ?? '';
    const [, key = ''] = /^bearer (\S+)$/i.exec(header) ?? [];
    // Digests have one length, so the comparison tells nothing about the key, not even how long it is.
    if (!timingSafeEqual(digestOf(key), this.expected)) {
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

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
