import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { SystemClock } from '../../foundation/clock/system-clock.js';
import { TimeOrderedIds } from '../../foundation/clock/time-ordered-ids.js';
import { Database } from '../../foundation/database/database.js';
import { Clock } from '../../kernel/clock.js';

/** The role the ledger works as. It owns nothing, so the rules of the schema bind it. */
const APP_ROLE = 'ledger_app';

/** The database, the clock and the ids of the process, for every feature. */
@Module({})
export class RuntimeModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static register(databaseUrl: string): DynamicModule {
    return {
      module: RuntimeModule,
      global: true,
      providers: [
        { provide: Clock, useClass: SystemClock },
        { provide: TimeOrderedIds, inject: [Clock], useFactory: (clock: Clock) => new TimeOrderedIds(clock) },
        {
          provide: Database,
          useFactory: () =>
            Database.connect({
              url: databaseUrl,
              schema: 'ledger',
              role: APP_ROLE,
              applicationName: 'ledger',
              poolSize: 10,
            }),
        },
      ],
      exports: [Clock, Database, TimeOrderedIds],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
