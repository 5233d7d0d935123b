import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../../foundation/http/problem.js';
import { message } from '../../../kernel/message.js';
import { PublicAddress } from '../public-address.js';

/** Refuses another host name that leads to this program: an attack, or a proxy that is configured wrongly (S20). */
@Injectable()
export class OwnHostGuard implements CanActivate {
  constructor(private readonly publicAddress: PublicAddress) {}

  /** @throws Problem 400 for any other host name */
  canActivate(context: ExecutionContext): boolean {
    const { hostname } = context.switchToHttp().getRequest<FastifyRequest>();
    if (hostname !== this.publicAddress.hostname) {
      const detail = 'The connector is not reached by this host name.';
      throw new Problem({ status: 400, type: 'wrong-host', detail, message: message('problem.wrong-host.detail') });
    }
    return true;
  }
}
