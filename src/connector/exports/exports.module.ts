import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { ReferenceDataModule } from '../reference-data/reference-data.module.js';
import { BlockedEntriesService } from './issues/blocked-entries.service.js';
import { BlockedEntryRepository } from './issues/blocked-entry.repository.js';
import { CheckJob } from './run/check-job.js';
import { CollectReceipts } from './items/collect-receipts.js';
import { CompanyLeaseRepository } from './stores/company-lease.repository.js';
import { CreateVendors } from './items/create-vendors.js';
import { DecideVerdict } from './run/decide-verdict.js';
import { DetectExportJobs } from './run/detect-export-jobs.js';
import { DryRunService } from './items/dry-run.service.js';
import { EndJob } from './run/end-job.js';
import { EndOpenJobs } from './run/end-open-jobs.js';
import { SentEntryRepository } from './reporting/sent-entry.repository.js';
import { ExportChunk } from './items/export-chunk.js';
import { ExportItemRepository } from './stores/export-item.repository.js';
import { ExportItems } from './items/export-items.js';
import { ExportRecordRepository } from './stores/export-record.repository.js';
import { ExportRecordsService } from './stores/export-records.service.js';
import { ExportStores } from './stores/export-stores.js';
import { FollowJob } from './run/follow-job.js';
import { GiveUp } from './run/give-up.js';
import { InboxViewRepository } from './issues/inbox-view.repository.js';
import { JobSteps } from './run/job-steps.js';
import { ExportJobRepository } from './stores/export-job.repository.js';
import { ExportViewRepository } from './stores/export-view.repository.js';
import { ExportsService } from './exports.service.js';
import { KnownPostings } from './posting/known-postings.js';
import { MappingFailureRepository } from './issues/mapping-failure.repository.js';
import { NoteLostEntry } from './in-doubt/note-lost-entry.js';
import { OutboxRepository } from './reporting/outbox.repository.js';
import { RecognizeReexport } from './reexport/recognize-reexport.js';
import { PostGroups } from './posting/post-groups.js';
import { PostItems } from './posting/post-items.js';
import { PostingIntentRepository } from './stores/posting-intent.repository.js';
import { RecordResults } from './reporting/record-results.js';
import { ReexportRepository } from './reexport/reexport.repository.js';
import { ReexportsService } from './reexport/reexports.service.js';
import { RelayOutbox } from './reporting/relay-outbox.js';
import { RepairRecord } from './stores/repair-record.js';
import { RequestReexport } from './reexport/request-reexport.js';
import { ResolveUncertain } from './in-doubt/resolve-uncertain.js';
import { ReversePostings } from './posting/reverse-postings.js';
import { RuleUseRepository } from './issues/rule-use.repository.js';
import { RunExportJob } from './run/run-export-job.js';
import { WorkOffCompany } from './run/work-off-company.js';
import { SettleUncertain } from './in-doubt/settle-uncertain.js';
import { StartJob } from './run/start-job.js';
import { UncertainPostingRepository } from './in-doubt/uncertain-posting.repository.js';
import { UncertainPostingsService } from './in-doubt/uncertain-postings.service.js';
import { WakeCompany } from './run/wake-company.js';

@Module({
  imports: [InstallationsModule, MappingModule, ReceiptsModule, ReferenceDataModule],
  providers: [
    DetectExportJobs,
    WakeCompany,
    WorkOffCompany,
    RunExportJob,
    FollowJob,
    JobSteps,
    StartJob,
    CheckJob,
    ExportItems,
    GiveUp,
    ExportChunk,
    KnownPostings,
    CreateVendors,
    CollectReceipts,
    PostItems,
    ReversePostings,
    PostGroups,
    RecordResults,
    RelayOutbox,
    DecideVerdict,
    EndJob,
    EndOpenJobs,
    ResolveUncertain,
    SettleUncertain,
    BlockedEntryRepository,
    BlockedEntriesService,
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
    UncertainPostingRepository,
    UncertainPostingsService,
    ExportsService,
    RepairRecord,
    NoteLostEntry,
    ExportRecordRepository,
    ExportRecordsService,
  ],
  exports: [
    BlockedEntriesService,
    DryRunService,
    ExportRecordsService,
    ExportsService,
    ReexportsService,
    UncertainPostingsService,
  ],
})
export class ExportsModule {}
