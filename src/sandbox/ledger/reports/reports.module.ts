import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { AccountLedgerController } from './account-ledger/account-ledger.controller.js';
import { AccountLedgerRepository } from './account-ledger/account-ledger.repository.js';
import { ShowAccountLedger } from './account-ledger/show-account-ledger.js';
import { ApAgeingRepository } from './ap-ageing.repository.js';
import { AuditChainController } from './audit-chain/audit-chain.controller.js';
import { AuditChainRepository } from './audit-chain/audit-chain.repository.js';
import { VerifyAuditChain } from './audit-chain/verify-audit-chain.js';
import { BeancountController } from './beancount/beancount.controller.js';
import { BeancountRepository } from './beancount/beancount.repository.js';
import { ExportBeancount } from './beancount/export-beancount.js';
import { CompanyDayRepository } from './company-day.repository.js';
import { DimensionBalancesRepository } from './dimension-balances.repository.js';
import { OpenItemsRepository } from './open-items.repository.js';
import { ReportsController } from './reports.controller.js';
import { ShowApAgeing } from './show-ap-ageing.js';
import { ShowDimensionBalances } from './show-dimension-balances.js';
import { ShowOpenItems } from './show-open-items.js';
import { ShowTrialBalance } from './show-trial-balance.js';
import { TrialBalanceRepository } from './trial-balance.repository.js';
import { ShowVatReport } from './vat/show-vat-report.js';
import { VatReportController } from './vat/vat-report.controller.js';
import { VatReportRepository } from './vat/vat-report.repository.js';

@Module({
  imports: [CompaniesModule],
  controllers: [
    ReportsController,
    AccountLedgerController,
    AuditChainController,
    BeancountController,
    VatReportController,
  ],
  providers: [
    AccountLedgerRepository,
    ApAgeingRepository,
    AuditChainRepository,
    BeancountRepository,
    CompanyDayRepository,
    DimensionBalancesRepository,
    ExportBeancount,
    OpenItemsRepository,
    ShowAccountLedger,
    ShowApAgeing,
    ShowDimensionBalances,
    ShowOpenItems,
    ShowTrialBalance,
    ShowVatReport,
    TrialBalanceRepository,
    VatReportRepository,
    VerifyAuditChain,
  ],
})
export class ReportsModule {}
