import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Secret } from '../../foundation/config/secret.js';
import { TimeOrderedIds } from '../../foundation/clock/time-ordered-ids.js';
import { SystemClock } from '../../foundation/clock/system-clock.js';
import { Database } from '../../foundation/database/database.js';
import { Clock } from '../../kernel/clock.js';
import { ApiKeyGuard } from './access/api-key.guard.js';
import { AttachDocument } from './attachments/attach-document.js';
import { AttachmentRepository } from './attachments/attachment.repository.js';
import { AttachmentsController } from './attachments/attachments.controller.js';
import { StoreDocument } from './attachments/store-document.js';
import { AccountRepository } from './chart/account.repository.js';
import { AccountsController } from './chart/accounts.controller.js';
import { CompaniesController } from './companies/companies.controller.js';
import { CompanyRepository } from './companies/company.repository.js';
import { DimensionRepository } from './dimensions/dimension.repository.js';
import { DimensionsController } from './dimensions/dimensions.controller.js';
import { HealthController } from './health.controller.js';
import { BooksViewRepository } from './journal/books-view.repository.js';
import { CancelEntries } from './journal/cancel-entries.js';
import { EntryRepository } from './journal/entry.repository.js';
import { EntryStateController } from './journal/entry-state.controller.js';
import { EntryWriter } from './journal/entry-writer.service.js';
import { GroupDocuments } from './journal/postings/group-documents.service.js';
import { GroupWriter } from './journal/postings/group-writer.service.js';
import { GroupInspectionController } from './journal/postings/group-inspection.controller.js';
import { GroupInspectionRepository } from './journal/postings/group-inspection.repository.js';
import { JournalEntriesController } from './journal/journal-entries.controller.js';
import { InspectGroups } from './journal/postings/inspect-groups.js';
import { JournalRepository } from './journal/journal.repository.js';
import { OpenItemRepository } from './journal/settlements/open-item.repository.js';
import { PostDrafts } from './journal/postings/post-drafts.js';
import { PostGroups } from './journal/postings/post-groups.js';
import { PostingGroupsController } from './journal/postings/posting-groups.controller.js';
import { PostingRepository } from './journal/postings/posting.repository.js';
import { ReverseEntry } from './journal/reverse-entry.js';
import { ReverseGroups } from './journal/reverse-groups.js';
import { SettleManually } from './journal/settlements/settle-manually.js';
import { SettleGroups } from './journal/settlements/settle-groups.js';
import { SettleEntries } from './journal/settlements/settle-entries.js';
import { SettlementRepository } from './journal/settlements/settlement.repository.js';
import { SettlementsController } from './journal/settlements/settlements.controller.js';
import { SettlementWriter } from './journal/settlements/settlement-writer.service.js';
import { WarningRepository } from './journal/warning.repository.js';
import { FiscalYearsController } from './periods/fiscal-years.controller.js';
import { PeriodRepository } from './periods/period.repository.js';
import { PeriodsController } from './periods/periods.controller.js';
import { RateRepository } from './rates/rate.repository.js';
import { RatesController } from './rates/rates.controller.js';
import { AccountLedgerController } from './reports/account-ledger/account-ledger.controller.js';
import { AccountLedgerRepository } from './reports/account-ledger/account-ledger.repository.js';
import { ApAgeingController } from './reports/ap-ageing.controller.js';
import { ApAgeingRepository } from './reports/ap-ageing.repository.js';
import { AuditChainController } from './reports/audit-chain/audit-chain.controller.js';
import { AuditChainRepository } from './reports/audit-chain/audit-chain.repository.js';
import { BeancountController } from './reports/beancount/beancount.controller.js';
import { BeancountRepository } from './reports/beancount/beancount.repository.js';
import { CompanyDayRepository } from './reports/company-day.repository.js';
import { DimensionBalancesController } from './reports/dimension-balances.controller.js';
import { DimensionBalancesRepository } from './reports/dimension-balances.repository.js';
import { ExportBeancount } from './reports/beancount/export-beancount.js';
import { OpenItemsController } from './reports/open-items.controller.js';
import { OpenItemsRepository } from './reports/open-items.repository.js';
import { ShowAccountLedger } from './reports/account-ledger/show-account-ledger.js';
import { ShowApAgeing } from './reports/show-ap-ageing.js';
import { TrialBalanceController } from './reports/trial-balance.controller.js';
import { TrialBalanceRepository } from './reports/trial-balance.repository.js';
import { VerifyAuditChain } from './reports/audit-chain/verify-audit-chain.js';
import { TaxCodeRepository } from './tax-codes/tax-code.repository.js';
import { TaxCodesController } from './tax-codes/tax-codes.controller.js';
import { CreateVendor } from './vendors/create-vendor.js';
import { VendorRepository } from './vendors/vendor.repository.js';
import { VendorsController } from './vendors/vendors.controller.js';

const controllers = [
  HealthController,
  CompaniesController,
  PeriodsController,
  FiscalYearsController,
  AccountsController,
  TaxCodesController,
  DimensionsController,
  VendorsController,
  RatesController,
  PostingGroupsController,
  GroupInspectionController,
  EntryStateController,
  SettlementsController,
  JournalEntriesController,
  AttachmentsController,
  TrialBalanceController,
  AccountLedgerController,
  OpenItemsController,
  ApAgeingController,
  DimensionBalancesController,
  AuditChainController,
  BeancountController,
];

/** What serves them; the program adds what it opened itself. */
const providers = [
  { provide: Clock, useClass: SystemClock },
  { provide: TimeOrderedIds, inject: [Clock], useFactory: (clock: Clock) => new TimeOrderedIds(clock) },
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
  GroupInspectionRepository,
  EntryRepository,
  EntryWriter,
  GroupWriter,
  GroupDocuments,
  OpenItemRepository,
  SettlementRepository,
  SettlementWriter,
  SettleEntries,
  SettleManually,
  SettleGroups,
  InspectGroups,
  WarningRepository,
  CancelEntries,
  PostDrafts,
  ReverseEntry,
  ReverseGroups,
  PostGroups,
  JournalRepository,
  AttachmentRepository,
  AttachDocument,
  StoreDocument,
  TrialBalanceRepository,
  CompanyDayRepository,
  AccountLedgerRepository,
  ShowAccountLedger,
  OpenItemsRepository,
  ApAgeingRepository,
  ShowApAgeing,
  DimensionBalancesRepository,
  AuditChainRepository,
  VerifyAuditChain,
  BeancountRepository,
  ExportBeancount,
];

@Module({})
export class LedgerModule {
  /** @param parts what the program opened before Nest starts, and closes after it stopped */
  static register(parts: { readonly database: Database; readonly apiKey: Secret }): DynamicModule {
    return {
      module: LedgerModule,
      controllers,
      providers: [
        { provide: Database, useValue: parts.database },
        { provide: Secret, useValue: parts.apiKey },
        ...providers,
      ],
    };
  }
}
