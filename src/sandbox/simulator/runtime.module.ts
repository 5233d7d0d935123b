import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { SimulatorConfig } from './simulator-config.js';
import { SimulatorLog } from './simulator-log.js';

const POOL_SIZE = 10;

/** Configuration, logger and database, which every feature needs. `SimulatorLifecycle` closes the database. */
@Global()
@Module({})
export class RuntimeModule {
  static register(config: SimulatorConfig, logger: Logger): DynamicModule {
    return {
      module: RuntimeModule,
      providers: [
        { provide: SimulatorConfig, useValue: config },
        { provide: SimulatorLog, useValue: new SimulatorLog(logger) },
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
      exports: [SimulatorConfig, SimulatorLog, Database],
    };
  }
}
