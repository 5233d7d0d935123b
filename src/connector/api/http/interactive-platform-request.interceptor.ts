import {
  applyDecorators,
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { tooManyRequests } from '../../../foundation/http/too-many-requests.js';
import { RequestLimits } from '../../limits/request-limits.js';
import { SharedQuota } from '../../limits/shared-quota.js';
import { findPrincipal } from './principal.js';

const INTERACTIVE = 'interactive-platform-request';

/** Limits how often the members and tokens of an installation cause requests to the platform. */
@Injectable()
export class InteractivePlatformRequestInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly requestLimits: RequestLimits,
    private readonly sharedQuota: SharedQuota,
  ) {}

  /** @throws Problem 429 when the installation exceeds its quota of this minute */
  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    if (this.reflector.get(INTERACTIVE, context.getHandler()) !== true) {
      return next.handle();
    }
    const caller = findPrincipal(context.switchToHttp().getRequest<FastifyRequest>());
    const waitMs =
      caller === undefined
        ? 0
        : await this.sharedQuota.consume(
            `interactive ${caller.installationId}`,
            this.requestLimits.interactivePerMinute,
          );
    if (waitMs > 0) {
      throw tooManyRequests(waitMs);
    }
    return next.handle();
  }
}

/** For a route that needs the platform. A replayed response of `@Idempotent()` does not count: it sends no request. */
export const InteractivePlatformRequest = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(INTERACTIVE, true),
    ApiTooManyRequestsResponse({
      description:
        'the installation caused too many requests to the platform in this minute: `Retry-After` says when to retry',
    }),
  );
