import { Module, type DynamicModule, type NestInterceptor, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { BoundCursorsInterceptor } from '../foundation/http/bound-cursors.interceptor.js';
import { JoinedInterceptors } from '../foundation/http/joined-interceptors.js';
import { KnownRoutes } from '../foundation/http/plugins/known-routes.plugin.js';
import { ProblemFilter, ProblemPage, ProblemWording } from '../foundation/http/problem.filter.js';
import { requestValidation } from '../foundation/http/validation.js';
import { ApiModule } from './api/api.module.js';
import { AccessGuard } from './api/http/access.guard.js';
import { ActorInterceptor } from './api/http/actor.interceptor.js';
import { DependencyErrorsInterceptor } from './api/http/dependency-errors.interceptor.js';
import { DownloadInterceptor } from './api/downloads/download.interceptor.js';
import { IdempotentInterceptor } from './api/http/idempotency/idempotent.interceptor.js';
import { InteractivePlatformRequestInterceptor } from './api/http/interactive-platform-request.interceptor.js';
import { findPrincipal } from './api/http/principal.js';
import { BrowserProblemPage } from './api/http/problem-page.js';
import type { ConnectorProgram } from './connector-config.js';
import { CoreModule } from './core.module.js';
import { InstallationsModule } from './installations/installations.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { LocalizedProblems } from './messages/localized-problems.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** Where the routes are described. */
export const OPENAPI_PATH = '/api/openapi.json';

/** The API process: connecting, webhooks, administration. What concerns every route is registered here. */
@Module({
  imports: [LimitsModule, InstallationsModule, WebhooksModule, ApiModule],
  providers: [
    { provide: KnownRoutes, useFactory: () => new KnownRoutes(OPENAPI_PATH) },
    { provide: ProblemWording, useClass: LocalizedProblems },
    { provide: ProblemPage, useClass: BrowserProblemPage },
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useFactory: requestValidation },
    { provide: APP_GUARD, useExisting: AccessGuard },
    {
      provide: APP_INTERCEPTOR,
      useFactory: (...interceptors: readonly NestInterceptor[]) =>
        new JoinedInterceptors(
          [...interceptors, new BoundCursorsInterceptor((request) => findPrincipal(request)?.installationId)],
          (context) => context.getClass() !== WebhooksController,
        ),
      // From the outermost to the innermost: a replayed response counts against no quota, and the interceptor of idempotency
      // keys sees errors of platform and ERP as problems, which had no effect.
      inject: [
        ActorInterceptor,
        IdempotentInterceptor,
        InteractivePlatformRequestInterceptor,
        DependencyErrorsInterceptor,
        DownloadInterceptor,
      ],
    },
  ],
})
export class AppModule {
  /** @param replacements see `CoreModule` */
  static register(program: ConnectorProgram, replacements: readonly Provider[] = []): DynamicModule {
    return { module: AppModule, imports: [CoreModule.register(program, replacements)] };
  }
}
