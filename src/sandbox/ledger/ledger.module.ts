import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { BoundCursorsInterceptor } from '../../foundation/http/bound-cursors.interceptor.js';
import { KnownRoutes } from '../../foundation/http/plugins/known-routes.plugin.js';
import { ProblemFilter } from '../../foundation/http/problem.filter.js';
import { requestValidation } from '../../foundation/http/validation.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { ApiKeyGuard } from './access/api-key.guard.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AttachmentsModule } from './attachments/attachments.module.js';
import { AuthorizationModule } from './authorization/authorization.module.js';
import { ChartModule } from './chart/chart.module.js';
import { CompaniesModule } from './companies/companies.module.js';
import { DimensionsModule } from './dimensions/dimensions.module.js';
import { HealthController } from './health.controller.js';
import { JournalModule } from './journal/journal.module.js';
import type { LedgerConfig } from './ledger-config.js';
import { MasterDataModule } from './master-data/master-data.module.js';
import { NewCompanyModule } from './new-company/new-company.module.js';
import { PeriodsModule } from './periods/periods.module.js';
import { RatesModule } from './rates/rates.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { RuntimeModule } from './runtime.module.js';
import { TaxCodesModule } from './tax-codes/tax-codes.module.js';
import { VendorsModule } from './vendors/vendors.module.js';

/** Where the routes are described. */
export const OPENAPI_PATH = '/openapi.json';

@Module({})
export class LedgerModule {
  /** @param config.databaseUrl of a database that was migrated */
  static register(config: LedgerConfig, logger: Logger): DynamicModule {
    return {
      module: LedgerModule,
      imports: [
        RuntimeModule.register(config, logger),
        CompaniesModule,
        NewCompanyModule,
        ApiKeysModule,
        AuthorizationModule,
        ChartModule,
        PeriodsModule,
        TaxCodesModule,
        DimensionsModule,
        VendorsModule,
        MasterDataModule,
        RatesModule,
        JournalModule,
        AttachmentsModule,
        ReportsModule,
      ],
      controllers: [HealthController],
      providers: [
        { provide: KnownRoutes, useFactory: () => new KnownRoutes(OPENAPI_PATH) },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useFactory: requestValidation },
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        {
          provide: APP_INTERCEPTOR,
          useFactory: () => new BoundCursorsInterceptor(({ openedCompanyId }) => openedCompanyId),
        },
      ],
    };
  }
}
