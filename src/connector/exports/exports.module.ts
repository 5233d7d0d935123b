import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { ReferenceDataModule } from '../reference-data/reference-data.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { InDoubtPostingReader } from './in-doubt/in-doubt-posting.reader.js';
import { InDoubtPostingRepository } from './in-doubt/in-doubt-posting.repository.js';
import { LookUpInDoubtPostings } from './in-doubt/look-up-in-doubt-postings.js';
import { MarkEntryMissing } from './in-doubt/mark-entry-missing.js';
import { ResolveInDoubtPosting } from './in-doubt/resolve-in-doubt-posting.js';
import { FailedEntryRepository } from './issues/failed-entry.repository.js';
import { FailedEntryReader } from './issues/failed-entry.reader.js';
import { InboxReader } from './issues/inbox.reader.js';
import { IssueHandlingRepository } from './issues/issue-handling.repository.js';
import { MappingUseReader } from './issues/mapping-use.reader.js';
import { ClearOldItems } from './items/clear-old-items.js';
import { CollectReceipts } from './items/collect-receipts.js';
import { CreateMissingVendors } from './items/create-missing-vendors.js';
import { ExportInStages } from './items/export-in-stages.js';
import { PostChunk } from './items/post-chunk.js';
import { PrepareChunk } from './items/prepare-chunk.js';
import { ListJobItems } from './items/list-job-items.js';
import { PlanWithoutEffect } from './items/plan-without-effect.js';
import { ProcessJobItems } from './items/process-job-items.js';
import { SplitIntoSteps } from './items/split-into-steps.js';
import { CodeUseReader } from './lists/code-use.reader.js';
import { EntryFactsReader } from './lists/entry-facts.reader.js';
import { EntryHistoryReader } from './lists/entry-history.reader.js';
import { EntryListReader } from './lists/entry-list.reader.js';
import { EntryTotalsReader } from './lists/entry-totals.reader.js';
import { ItemListReader } from './lists/item-list.reader.js';
import { LoadKnownEntries } from './posting/load-known-entries.js';
import { PostReadyItems } from './posting/post-ready-items.js';
import { ReversePostings } from './posting/reverse-postings.js';
import { SubmitPostingGroups } from './posting/submit-posting-groups.js';
import { QueueReexport } from './reexport/queue-reexport.js';
import { RecognizeReexport } from './reexport/recognize-reexport.js';
import { ReexportReader } from './reexport/reexport.reader.js';
import { ReexportRepository } from './reexport/reexport.repository.js';
import { RequestReexport } from './reexport/request-reexport.js';
import { OutboxRepository } from './reporting/outbox.repository.js';
import { RecordResults } from './reporting/record-results.js';
import { RelayOutbox } from './reporting/relay-outbox.js';
import { RefuseUnconnectedJob } from './reporting/refuse-unconnected-job.js';
import { RepeatReports } from './reporting/repeat-reports.js';
import { IssueLinks } from './reporting/issue-links.js';
import { ReportToPlatform } from './reporting/report-to-platform.js';
import { ReportedResultRepository } from './reporting/reported-result.repository.js';
import { SentEntryReader } from './reporting/sent-entry.reader.js';
import { WarnOfLongJob } from './run/warn-of-long-job.js';
import { CheckJob } from './run/check-job.js';
import { ClaimNextJob } from './run/claim-next-job.js';
import { DecideVerdict } from './run/decide-verdict.js';
import { DetectExportJobs } from './run/detect-export-jobs.js';
import { EndJob } from './run/end-job.js';
import { EndOpenJobs } from './run/end-open-jobs.js';
import { FailUnfinishedItems } from './run/fail-unfinished-items.js';
import { PostponeJob } from './run/postpone-job.js';
import { ProcessCompanyQueue } from './run/process-company-queue.js';
import { RecordDetectedJobs } from './run/record-detected-jobs.js';
import { RecordJobStart } from './run/record-job-start.js';
import { RequestDetection } from './run/request-detection.js';
import { RunExportJob } from './run/run-export-job.js';
import { StartJob } from './run/start-job.js';
import { WakeCompany } from './run/wake-company.js';
import { WakeDueExports } from './run/wake-due-exports.js';
import { PlatformJobs } from './run/platform-jobs.js';
import { WatchRunningJob } from './run/watch-running-job.js';
import { CompanyLeaseRepository } from './stores/company-lease.repository.js';
import { CompanyOwnership } from './stores/company-ownership.js';
import { ExportItemRepository } from './stores/export-item.repository.js';
import { ExportJobReader } from './stores/export-job.reader.js';
import { ExportJobRepository } from './stores/export-job.repository.js';
import { ExportRecordReader } from './stores/export-record.reader.js';
import { PostingIntentRepository } from './stores/posting-intent.repository.js';
import { RepairRecord } from './stores/repair-record.js';

/** What other rooms may inject. */
const shared = [
  CompanyLeaseRepository,
  CompanyOwnership,
  ExportJobRepository,
  WakeCompany,
  ClearOldItems,
  DetectExportJobs,
  EndOpenJobs,
  ExportJobReader,
  ExportRecordReader,
  FailedEntryReader,
  InboxReader,
  InDoubtPostingReader,
  IssueHandlingRepository,
  CodeUseReader,
  EntryFactsReader,
  EntryHistoryReader,
  EntryListReader,
  EntryTotalsReader,
  ItemListReader,
  LookUpInDoubtPostings,
  MappingUseReader,
  MarkEntryMissing,
  PlanWithoutEffect,
  ProcessCompanyQueue,
  QueueReexport,
  ReexportReader,
  ReexportRepository,
  RefuseUnconnectedJob,
  RepairRecord,
  RepeatReports,
  RequestDetection,
  RequestReexport,
  ResolveInDoubtPosting,
  SentEntryReader,
  WakeDueExports,
];

@Module({
  imports: [InstallationsModule, MappingModule, ReceiptsModule, ReferenceDataModule, RunsModule],
  providers: [
    ...shared,
    InDoubtPostingRepository,
    FailedEntryRepository,
    CollectReceipts,
    CreateMissingVendors,
    ExportInStages,
    SplitIntoSteps,
    PrepareChunk,
    PostChunk,
    ListJobItems,
    ProcessJobItems,
    LoadKnownEntries,
    PostReadyItems,
    ReversePostings,
    SubmitPostingGroups,
    RecognizeReexport,
    OutboxRepository,
    RecordResults,
    RelayOutbox,
    ReportToPlatform,
    IssueLinks,
    ReportedResultRepository,
    WarnOfLongJob,
    CheckJob,
    ClaimNextJob,
    DecideVerdict,
    EndJob,
    FailUnfinishedItems,
    PostponeJob,
    RecordDetectedJobs,
    RecordJobStart,
    RunExportJob,
    StartJob,
    PlatformJobs,
    WatchRunningJob,
    ExportItemRepository,
    PostingIntentRepository,
  ],
  exports: [...shared],
})
export class ExportsModule {}
