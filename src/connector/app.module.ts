import { Module, type DynamicModule } from '@nestjs/common';
import { AdminModule } from './api/api.module.js';
import { ConnectorCoreModule } from './connector-core.module.js';
import type { ConnectorRuntime } from './connector-runtime.js';
import { InstallationsModule } from './installations/installations.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The API process: connecting, webhooks, administration. */
@Module({})
export class AppModule {
  static register(runtime: ConnectorRuntime): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConnectorCoreModule.register(runtime),
        LimitsModule,
        InstallationsModule,
        WebhooksModule,
        AdminModule,
      ],
    };
  }
}
