import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import type { Secret } from '../../foundation/config/secret.js';
import { ApiKeyGuard } from './access/api-key.guard.js';
import { AttachmentsModule } from './attachments/attachments.module.js';
import { ChartModule } from './chart/chart.module.js';
import { CompaniesModule } from './companies/companies.module.js';
import { DimensionsModule } from './dimensions/dimensions.module.js';
import { HealthController } from './health.controller.js';
import { JournalModule } from './journal/journal.module.js';
import { PeriodsModule } from './periods/periods.module.js';
import { RatesModule } from './rates/rates.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { RuntimeModule } from './runtime.module.js';
import { TaxCodesModule } from './tax-codes/tax-codes.module.js';
import { VendorsModule } from './vendors/vendors.module.js';

@Module({})
export class LedgerModule {
  /** @param config.databaseUrl of a database that was migrated */
  static register(config: { readonly databaseUrl: string; readonly apiKey: Secret }): DynamicModule {
    return {
      module: LedgerModule,
      imports: [
        RuntimeModule.register(config.databaseUrl),
        CompaniesModule,
        ChartModule,
        PeriodsModule,
        TaxCodesModule,
        DimensionsModule,
        VendorsModule,
        RatesModule,
        JournalModule,
        AttachmentsModule,
        ReportsModule,
      ],
      controllers: [HealthController],
      providers: [
        {
          provide: APP_GUARD,
          inject: [Reflector],
          useFactory: (reflector: Reflector) => new ApiKeyGuard(config.apiKey, reflector),
        },
      ],
    };
  }
}
