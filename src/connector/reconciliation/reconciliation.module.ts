import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ActOnDifference } from './actions/act-on-difference.js';
import { CertificateRepository } from './certificates/certificate.repository.js';
import { CertificatesService } from './certificates/certificates.service.js';
import { CertifyJob } from './certificates/certify-job.js';
import { CloseReportRepository } from './close-report/close-report.repository.js';
import { CompareEntries } from './compare/compare-entries.js';
import { CompareJob } from './compare/compare-job.js';
import { CountDifferences } from './compare/count-differences.js';
import { DifferenceRepository } from './compare/difference.repository.js';
import { FindOrphans } from './compare/find-orphans.js';
import { FindUnknownJobs } from './compare/find-unknown-jobs.js';
import { LoadSides } from './compare/load-sides.js';
import { MakeCloseReport } from './close-report/make-close-report.js';
import { PlanAgain } from './compare/plan-again.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { ReconciliationTurnRepository } from './reconciliation-turn.repository.js';
import { ReconciliationService } from './reconciliation.service.js';
import { ReplayJob } from './certificates/replay-job.js';
import { ResumeReversals } from './compare/resume-reversals.js';
import { ReverseDifference } from './actions/reverse-difference.js';
import { RunReconciliation } from './run-reconciliation.js';
import { RunReconciliations } from './run-reconciliations.js';
import { VerifyCertificates } from './certificates/verify-certificates.js';
import { WakeReconciliations } from './wake-reconciliations.js';
import { WorkOutFacts } from './certificates/work-out-facts.js';
import { WriteDifferences } from './compare/write-differences.js';

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
