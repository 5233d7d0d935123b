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
import { InteractiveRequestsService } from '../../limits/interactive-requests.service.js';
import { findPrincipal } from './principal.js';

/** Counts the requests of an installation's people that have the platform asked. */
@Injectable()
export class InteractivePlatformRequestInterceptor implements NestInterceptor {
  constructor(private readonly interactiveRequestsService: InteractiveRequestsService) {}

  /** @throws Problem 429 when the installation has asked too often in this minute */
  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const caller = findPrincipal(context.switchToHttp().getRequest<FastifyRequest>());
    const waitMs =
      caller === undefined ? 0 : await this.interactiveRequestsService.consume(caller.installationId);
    if (waitMs > 0) {
      throw tooManyRequests(waitMs);
    }
    return next.handle();
  }
}

/** For a route whose answer needs the platform. Stands above `@Idempotent()`: an answer that is given again asks nobody. */
export const InteractivePlatformRequest = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(InteractivePlatformRequestInterceptor),
    ApiTooManyRequestsResponse({
      description:
        'the installation has had the platform asked too often in this minute: `Retry-After` says when to go on',
    }),
  );
