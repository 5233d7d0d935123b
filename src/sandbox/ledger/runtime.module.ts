import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { SystemClock } from '../../foundation/clock/system-clock.js';
import { TimeOrderedIds } from '../../foundation/clock/time-ordered-ids.js';
import { ConfigurationModule } from '../../foundation/config/configuration.module.js';
import { Database } from '../../foundation/database/database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { Clock } from '../../kernel/clock.js';
import { LedgerConfig } from './ledger-config.js';

/** The role the ledger works as. It owns nothing, so the rules of the schema bind it. */
const APP_ROLE = 'ledger_app';

/** Configuration, logger, database, clock and ids, for every feature. */
@Module({})
export class RuntimeModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static register(config: LedgerConfig, logger: Logger): DynamicModule {
    return {
      module: RuntimeModule,
      global: true,
      imports: [ConfigurationModule.register(LedgerConfig, config)],
      providers: [
        { provide: AppLogger, useFactory: () => new AppLogger(logger) },
        { provide: Clock, useClass: SystemClock },
        { provide: TimeOrderedIds, inject: [Clock], useFactory: (clock: Clock) => new TimeOrderedIds(clock) },
        {
          provide: Database,
          inject: [LedgerConfig],
          useFactory: ({ databaseUrl }: LedgerConfig) =>
            Database.connect({
              url: databaseUrl,
              schema: 'ledger',
              role: APP_ROLE,
              applicationName: 'ledger',
              poolSize: 10,
            }),
        },
      ],
      exports: [AppLogger, Clock, Database, TimeOrderedIds],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
