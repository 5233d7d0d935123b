import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { tooManyRequests } from '../../../foundation/http/too-many-requests.js';
import { RequestLimits } from '../../limits/request-limits.js';
import { SharedQuota } from '../../limits/shared-quota.js';
import { findPrincipal } from './principal.js';

/** Limits the requests of an installation's people and scripts that need the platform. */
@Injectable()
export class InteractivePlatformRequestInterceptor implements NestInterceptor {
  constructor(
    private readonly requestLimits: RequestLimits,
    private readonly sharedQuota: SharedQuota,
  ) {}

  /** @throws Problem 429 when the installation's quota of this minute is used up */
  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
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

/** For a route whose response needs the platform. Stands above `@Idempotent()`: a replayed response needs no request. */
export const InteractivePlatformRequest = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(InteractivePlatformRequestInterceptor),
    ApiTooManyRequestsResponse({
      description:
        'the installation’s requests to the platform of this minute are used up: `Retry-After` says when to continue',
    }),
  );
