import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { defer, mergeAll, type Observable } from 'rxjs';

/**
 * Several interceptors as one, the first of them outermost. Nest spends more on calling an interceptor than most of them do, for
 * every request; and a route that needs none, called in great number, is spared all of them.
 */
export class JoinedInterceptors implements NestInterceptor {
  /** @param isNeeded whether a route is one of those that they are for */
  constructor(
    private readonly interceptors: readonly NestInterceptor[],
    private readonly isNeeded: (context: ExecutionContext) => boolean,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const route = this.isNeeded(context) ? this.interceptors : [];
    return route
      .reduceRight<CallHandler<unknown>>(
        (inner, interceptor) => ({
          handle: () => defer(async () => interceptor.intercept(context, inner)).pipe(mergeAll()),
        }),
        next,
      )
      .handle();
  }
}
