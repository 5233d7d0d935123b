import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ConfigurationModule } from '../../foundation/config/configuration.module.js';
import { Database } from '../../foundation/database/database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { SimulatorConfig } from './simulator-config.js';

const POOL_SIZE = 10;

/** Configuration, logger and database, which every feature needs. `SimulatorLifecycle` closes the database. */
@Global()
@Module({})
export class RuntimeModule {
  static register(config: SimulatorConfig, logger: Logger): DynamicModule {
    return {
      module: RuntimeModule,
      imports: [ConfigurationModule.register(SimulatorConfig, config)],
      providers: [
        { provide: AppLogger, useFactory: () => new AppLogger(logger) },
        {
          provide: Database,
          inject: [SimulatorConfig],
          useFactory: ({ databaseUrl }: SimulatorConfig) =>
            Database.connect({
              url: databaseUrl,
              schema: 'simulator',
              applicationName: 'simulator',
              poolSize: POOL_SIZE,
            }),
        },
      ],
      exports: [AppLogger, Database],
    };
  }
}
