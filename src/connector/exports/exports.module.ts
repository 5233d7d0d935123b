import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { ReferenceDataModule } from '../reference-data/reference-data.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { FailedEntriesService } from './issues/failed-entries.service.js';
import { FailedEntryRepository } from './issues/failed-entry.repository.js';
import { CheckJob } from './run/check-job.js';
import { CollectReceipts } from './items/collect-receipts.js';
import { CompanyLeaseRepository } from './stores/company-lease.repository.js';
import { CreateMissingVendors } from './items/create-missing-vendors.js';
import { DecideVerdict } from './run/decide-verdict.js';
import { DetectExportJobs } from './run/detect-export-jobs.js';
import { DryRunService } from './items/dry-run.service.js';
import { EndJob } from './run/end-job.js';
import { EndOpenJobs } from './run/end-open-jobs.js';
import { SentEntryRepository } from './reporting/sent-entry.repository.js';
import { ExportChunk } from './items/export-chunk.js';
import { ExportItemRepository } from './stores/export-item.repository.js';
import { ProcessJobItems } from './items/process-job-items.js';
import { ExportRecordRepository } from './stores/export-record.repository.js';
import { ExportRecordsService } from './stores/export-records.service.js';
import { ExportStores } from './stores/export-stores.js';
import { WatchRunningJob } from './run/watch-running-job.js';
import { FailUnfinishedItems } from './run/fail-unfinished-items.js';
import { InboxViewRepository } from './issues/inbox-view.repository.js';
import { RecordJobStart } from './run/record-job-start.js';
import { ExportJobRepository } from './stores/export-job.repository.js';
import { ExportViewRepository } from './stores/export-view.repository.js';
import { ExportsService } from './exports.service.js';
import { LoadKnownEntries } from './posting/load-known-entries.js';
import { MappingFailureRepository } from './issues/mapping-failure.repository.js';
import { MarkEntryMissing } from './in-doubt/mark-entry-missing.js';
import { OutboxRepository } from './reporting/outbox.repository.js';
import { RecognizeReexport } from './reexport/recognize-reexport.js';
import { SubmitPostingGroups } from './posting/submit-posting-groups.js';
import { PostReadyItems } from './posting/post-ready-items.js';
import { PostingIntentRepository } from './stores/posting-intent.repository.js';
import { RecordResults } from './reporting/record-results.js';
import { ReexportRepository } from './reexport/reexport.repository.js';
import { ReexportsService } from './reexport/reexports.service.js';
import { RelayOutbox } from './reporting/relay-outbox.js';
import { RepairRecord } from './stores/repair-record.js';
import { RequestReexport } from './reexport/request-reexport.js';
import { ResolveInDoubtPosting } from './in-doubt/resolve-in-doubt-posting.js';
import { ReversePostings } from './posting/reverse-postings.js';
import { RuleUseRepository } from './issues/rule-use.repository.js';
import { RunExportJob } from './run/run-export-job.js';
import { ProcessCompanyQueue } from './run/process-company-queue.js';
import { LookUpInDoubtPostings } from './in-doubt/look-up-in-doubt-postings.js';
import { StartJob } from './run/start-job.js';
import { InDoubtPostingRepository } from './in-doubt/in-doubt-posting.repository.js';
import { InDoubtPostingsService } from './in-doubt/in-doubt-postings.service.js';
import { WakeCompany } from './run/wake-company.js';

@Module({
  imports: [RunsModule, InstallationsModule, MappingModule, ReceiptsModule, ReferenceDataModule],
  providers: [
    DetectExportJobs,
    WakeCompany,
    ProcessCompanyQueue,
    RunExportJob,
    WatchRunningJob,
    StartJob,
    RecordJobStart,
    CheckJob,
    ProcessJobItems,
    FailUnfinishedItems,
    ExportChunk,
    LoadKnownEntries,
    CreateMissingVendors,
    CollectReceipts,
    PostReadyItems,
    ReversePostings,
    SubmitPostingGroups,
    RecordResults,
    RelayOutbox,
    DecideVerdict,
    EndJob,
    EndOpenJobs,
    ResolveInDoubtPosting,
    LookUpInDoubtPostings,
    FailedEntryRepository,
    FailedEntriesService,
    DryRunService,
    SentEntryRepository,
    InboxViewRepository,
    ReexportRepository,
    RequestReexport,
    RecognizeReexport,
    ReexportsService,
    CompanyLeaseRepository,
    ExportJobRepository,
    ExportItemRepository,
    PostingIntentRepository,
    OutboxRepository,
    ExportStores,
    ExportViewRepository,
    MappingFailureRepository,
    RuleUseRepository,
    InDoubtPostingRepository,
    InDoubtPostingsService,
    ExportsService,
    RepairRecord,
    MarkEntryMissing,
    ExportRecordRepository,
    ExportRecordsService,
  ],
  exports: [
    FailedEntriesService,
    DryRunService,
    ExportRecordsService,
    ExportsService,
    DetectExportJobs,
    ReexportsService,
    InDoubtPostingsService,
  ],
})
export class ExportsModule {}
