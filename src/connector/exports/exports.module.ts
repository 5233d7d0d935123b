import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { ReferenceDataModule } from '../reference-data/reference-data.module.js';
import { BlockedEntriesService } from './blocked-entries.service.js';
import { BlockedEntryRepository } from './blocked-entry.repository.js';
import { CheckJob } from './check-job.js';
import { CollectReceipts } from './collect-receipts.js';
import { CompanyLeaseRepository } from './company-lease.repository.js';
import { CreateVendors } from './create-vendors.js';
import { DecideVerdict } from './decide-verdict.js';
import { DetectExportJobs } from './detect-export-jobs.js';
import { DryRunService } from './dry-run.service.js';
import { EndJob } from './end-job.js';
import { EndOpenJobs } from './end-open-jobs.js';
import { SentEntryRepository } from './sent-entry.repository.js';
import { ExportChunk } from './export-chunk.js';
import { ExportItemRepository } from './export-item.repository.js';
import { ExportItems } from './export-items.js';
import { ExportRecordRepository } from './export-record.repository.js';
import { ExportRecordsService } from './export-records.service.js';
import { ExportStores } from './export-stores.js';
import { FollowJob } from './follow-job.js';
import { GiveUp } from './give-up.js';
import { InboxViewRepository } from './inbox-view.repository.js';
import { JobSteps } from './job-steps.js';
import { ExportJobRepository } from './export-job.repository.js';
import { ExportViewRepository } from './export-view.repository.js';
import { ExportsService } from './exports.service.js';
import { KnownPostings } from './known-postings.js';
import { MappingFailureRepository } from './mapping-failure.repository.js';
import { NoteLostEntry } from './note-lost-entry.js';
import { OutboxRepository } from './outbox.repository.js';
import { RecogniseReexport } from './recognise-reexport.js';
import { PostGroups } from './post-groups.js';
import { PostItems } from './post-items.js';
import { PostingIntentRepository } from './posting-intent.repository.js';
import { RecordResults } from './record-results.js';
import { ReexportRepository } from './reexport.repository.js';
import { ReexportsService } from './reexports.service.js';
import { RelayOutbox } from './relay-outbox.js';
import { RepairRecord } from './repair-record.js';
import { RequestReexport } from './request-reexport.js';
import { ResolveUncertain } from './resolve-uncertain.js';
import { ReversePostings } from './reverse-postings.js';
import { RuleUseRepository } from './rule-use.repository.js';
import { RunExportJob } from './run-export-job.js';
import { WorkOffCompany } from './work-off-company.js';
import { SettleUncertain } from './settle-uncertain.js';
import { StartJob } from './start-job.js';
import { UncertainPostingRepository } from './uncertain-posting.repository.js';
import { UncertainPostingsService } from './uncertain-postings.service.js';
import { WakeCompany } from './wake-company.js';

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
    RecogniseReexport,
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
