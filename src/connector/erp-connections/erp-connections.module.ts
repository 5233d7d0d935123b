import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { EndErpConnection } from './end-erp-connection.js';
import { ErpConnectionRepository } from './erp-connection.repository.js';
import { ErpRequestBudgetRepository } from './erp-request-budget.repository.js';
import { HandOutBatches } from './hand-out-batches.js';
import { LinkErpCompany } from './link-erp-company.js';
import { SearchErpLists } from './lists/search-erp-lists.js';
import { StoreRates } from './rates/store-rates.js';
import { RateTableRepository } from './rates/rate-table.repository.js';
import { ReadErpConnection } from './read-erp-connection.js';
import { RecordCompanyClaim } from './record-company-claim.js';
import { SaveErpConnection } from './save-erp-connection.js';
import { BeginErpSignIn } from './sign-in/begin-erp-sign-in.js';
import { CompleteErpSignIn } from './sign-in/complete-erp-sign-in.js';
import { ErpSignInRepository } from './sign-in/erp-sign-in.repository.js';
import { RunsModule } from '../runs/runs.module.js';
import { FinishTestPostings } from './test-posting/finish-test-postings.js';
import { PostTestEntry } from './test-posting/post-test-entry.js';
import { TestPostingRepository } from './test-posting/test-posting.repository.js';
import { TestErpConnection } from './test-erp-connection.js';

/** What other rooms may inject. */
const shared = [
  BeginErpSignIn,
  CompleteErpSignIn,
  EndErpConnection,
  HandOutBatches,
  StoreRates,
  LinkErpCompany,
  ReadErpConnection,
  SaveErpConnection,
  SearchErpLists,
  TestErpConnection,
  FinishTestPostings,
  PostTestEntry,
];

@Module({
  imports: [InstallationsModule, RunsModule],
  providers: [
    ...shared,
    ErpSignInRepository,
    ErpConnectionRepository,
    ErpRequestBudgetRepository,
    RateTableRepository,
    RecordCompanyClaim,
    TestPostingRepository,
  ],
  exports: [...shared],
})
export class ErpConnectionsModule {}
