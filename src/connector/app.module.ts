import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { AdminModule } from './api/api.module.js';
import type { ConnectorProgram } from './connector-program.js';
import { CoreModule } from './core.module.js';
import { InstallationsModule } from './installations/installations.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The API process: connecting, webhooks, administration. */
@Module({ imports: [LimitsModule, InstallationsModule, WebhooksModule, AdminModule] })
export class AppModule {
  /** @param replacements see `CoreModule` */
  static register(program: ConnectorProgram, replacements: readonly Provider[] = []): DynamicModule {
    return { module: AppModule, imports: [CoreModule.register(program, replacements)] };
  }
}
