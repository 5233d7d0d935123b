import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AdvanceRun } from './advance-run.js';
import { ActOnDiscrepancy } from './actions/act-on-discrepancy.js';
import { CertificateRepository } from './certificates/certificate.repository.js';
import { CertificateReader } from './certificates/certificate.reader.js';
import { CertifyJob } from './certificates/certify-job.js';
import { CompareJobEntries } from './compare/compare-job-entries.js';
import { CompareJobAsWhole } from './compare/compare-job-as-whole.js';
import { ComparePeriod } from './compare/compare-period.js';
import { CompareSingleJob } from './compare/compare-single-job.js';
import { LoadReconciliationScope } from './compare/load-reconciliation-scope.js';
import { RepairEntries } from './compare/repair-entries.js';
import { CompareJob } from './compare/compare-job.js';
import { CountDiscrepancies } from './compare/count-discrepancies.js';
import { DiscrepancyRepository } from './compare/discrepancy.repository.js';
import { FindOrphans } from './compare/find-orphans.js';
import { FindUnknownJobs } from './compare/find-unknown-jobs.js';
import { LoadSources } from './compare/load-sources.js';
import { CompileMonthEnd } from './month-end/compile-month-end.js';
import { JobTotalRepository } from './month-end/job-total.repository.js';
import { MissingEntryRepository } from './month-end/missing-entry.repository.js';
import { MonthDiscrepancyRepository } from './month-end/month-discrepancy.repository.js';
import { MonthEndReader } from './month-end/month-end.reader.js';
import { SignMonthOff } from './month-end/sign-month-off.js';
import { SignOffRepository } from './month-end/sign-off.repository.js';
import { ReplanItems } from './compare/replan-items.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { ReconciliationScheduleRepository } from './reconciliation-schedule.repository.js';
import { ReconciliationReader } from './reconciliation.reader.js';
import { RequestReconciliation } from './request-reconciliation.js';
import { SetAlertLimit } from './set-alert-limit.js';
import { ReplayJob } from './certificates/replay-job.js';
import { ResumeReversals } from './compare/resume-reversals.js';
import { ReverseDiscrepantEntry } from './actions/reverse-discrepant-entry.js';
import { RecordMissingEntry } from './actions/record-missing-entry.js';
import { FinishRun } from './finish-run.js';
import { ExecuteReconciliation } from './execute-reconciliation.js';
import { ProcessDueReconciliations } from './process-due-reconciliations.js';
import { VerifyCertificates } from './certificates/verify-certificates.js';
import { WakeReconciliations } from './wake-reconciliations.js';
import { ComputeCertificate } from './certificates/compute-certificate.js';
import { RecordDiscrepancies } from './compare/record-discrepancies.js';

/** What other rooms may inject. */
const shared = [
  CountDiscrepancies,
  VerifyCertificates,
  ReplayJob,
  CertificateReader,
  ProcessDueReconciliations,
  WakeReconciliations,
  ActOnDiscrepancy,
  CompileMonthEnd,
  SignMonthOff,
  ReconciliationReader,
  RequestReconciliation,
  SetAlertLimit,
];

@Module({
  imports: [RunsModule, InstallationsModule, WebhooksModule, MappingModule, ExportsModule],
  providers: [
    ...shared,
    ReconciliationRunRepository,
    ReconciliationScheduleRepository,
    CertificateRepository,
    DiscrepancyRepository,
    LoadSources,
    RepairEntries,
    CompareJobEntries,
    CompareJobAsWhole,
    CompareJob,
    FindUnknownJobs,
    FindOrphans,
    RecordDiscrepancies,
    ComputeCertificate,
    CertifyJob,
    ReplanItems,
    AdvanceRun,
    LoadReconciliationScope,
    ComparePeriod,
    CompareSingleJob,
    FinishRun,
    ExecuteReconciliation,
    ReverseDiscrepantEntry,
    RecordMissingEntry,
    ResumeReversals,
    JobTotalRepository,
    MissingEntryRepository,
    MonthDiscrepancyRepository,
    SignOffRepository,
    MonthEndReader,
  ],
  exports: [...shared],
})
export class ReconciliationModule {}
