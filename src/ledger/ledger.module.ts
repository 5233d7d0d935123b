import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Secret } from '../foundation/config/secret.js';
import { Database } from '../foundation/database/database.js';
import { ApiKeyGuard } from './access/api-key.guard.js';
import { AccountRepository } from './chart/account.repository.js';
import { AccountsController } from './chart/accounts.controller.js';
import { CompaniesController } from './companies/companies.controller.js';
import { CompanyRepository } from './companies/company.repository.js';
import { DimensionRepository } from './dimensions/dimension.repository.js';
import { DimensionsController } from './dimensions/dimensions.controller.js';
import { HealthController } from './health.controller.js';
import { BooksViewRepository } from './journal/books-view.repository.js';
import { GroupWriter } from './journal/group-writer.service.js';
import { JournalEntriesController } from './journal/journal-entries.controller.js';
import { JournalRepository } from './journal/journal.repository.js';
import { PostGroups } from './journal/post-groups.js';
import { PostingGroupsController } from './journal/posting-groups.controller.js';
import { PostingRepository } from './journal/posting.repository.js';
import { PeriodRepository } from './periods/period.repository.js';
import { PeriodsController } from './periods/periods.controller.js';
import { RateRepository } from './rates/rate.repository.js';
import { RatesController } from './rates/rates.controller.js';
import { TrialBalanceController } from './reports/trial-balance.controller.js';
import { TrialBalanceRepository } from './reports/trial-balance.repository.js';
import { TaxCodeRepository } from './tax-codes/tax-code.repository.js';
import { TaxCodesController } from './tax-codes/tax-codes.controller.js';
import { CreateVendor } from './vendors/create-vendor.js';
import { VendorRepository } from './vendors/vendor.repository.js';
import { VendorsController } from './vendors/vendors.controller.js';

@Module({})
export class LedgerModule {
  /** @param parts what the program opened before Nest starts, and closes after it stopped */
  static register(parts: { readonly database: Database; readonly apiKey: Secret }): DynamicModule {
    return {
      module: LedgerModule,
      controllers: [
        HealthController,
        CompaniesController,
        PeriodsController,
        AccountsController,
        TaxCodesController,
        DimensionsController,
        VendorsController,
        RatesController,
        PostingGroupsController,
        JournalEntriesController,
        TrialBalanceController,
      ],
      providers: [
        { provide: Database, useValue: parts.database },
        { provide: Secret, useValue: parts.apiKey },
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        CompanyRepository,
        PeriodRepository,
        AccountRepository,
        TaxCodeRepository,
        DimensionRepository,
        VendorRepository,
        CreateVendor,
        RateRepository,
        BooksViewRepository,
        PostingRepository,
        GroupWriter,
        PostGroups,
        JournalRepository,
        TrialBalanceRepository,
      ],
    };
  }
}
