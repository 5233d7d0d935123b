import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ActOnDifference } from './act-on-difference.js';
import { CertificateRepository } from './certificate.repository.js';
import { CertificatesService } from './certificates.service.js';
import { CertifyJob } from './certify-job.js';
import { CloseReportRepository } from './close-report.repository.js';
import { CompareEntries } from './compare-entries.js';
import { CompareJob } from './compare-job.js';
import { CountDifferences } from './count-differences.js';
import { DifferenceRepository } from './difference.repository.js';
import { FindOrphans } from './find-orphans.js';
import { FindUnknownJobs } from './find-unknown-jobs.js';
import { LoadSides } from './load-sides.js';
import { MakeCloseReport } from './make-close-report.js';
import { PlanAgain } from './plan-again.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { ReconciliationTurnRepository } from './reconciliation-turn.repository.js';
import { ReconciliationService } from './reconciliation.service.js';
import { ReplayJob } from './replay-job.js';
import { ResumeReversals } from './resume-reversals.js';
import { ReverseDifference } from './reverse-difference.js';
import { RunReconciliation } from './run-reconciliation.js';
import { RunReconciliations } from './run-reconciliations.js';
import { VerifyCertificates } from './verify-certificates.js';
import { WakeReconciliations } from './wake-reconciliations.js';
import { WorkOutFacts } from './work-out-facts.js';
import { WriteDifferences } from './write-differences.js';

@Module({
  imports: [InstallationsModule, WebhooksModule, MappingModule, ExportsModule],
  providers: [
    ReconciliationRunRepository,
    ReconciliationTurnRepository,
    CertificateRepository,
    DifferenceRepository,
    CountDifferences,
    LoadSides,
    CompareEntries,
    CompareJob,
    FindUnknownJobs,
    FindOrphans,
    WriteDifferences,
    WorkOutFacts,
    CertifyJob,
    VerifyCertificates,
    PlanAgain,
    ReplayJob,
    CertificatesService,
    RunReconciliation,
    RunReconciliations,
    WakeReconciliations,
    ReverseDifference,
    ResumeReversals,
    ActOnDifference,
    CloseReportRepository,
    MakeCloseReport,
    ReconciliationService,
  ],
  exports: [CertificatesService, ReconciliationService],
})
export class ReconciliationModule {}
