import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { ActOnDifference } from './act-on-difference.js';
import { CloseReportRepository } from './close-report.repository.js';
import { CompareEntries } from './compare-entries.js';
import { CompareJob } from './compare-job.js';
import { DifferenceRepository } from './difference.repository.js';
import { FindOrphans } from './find-orphans.js';
import { FindUnknownJobs } from './find-unknown-jobs.js';
import { LoadSides } from './load-sides.js';
import { MakeCloseReport } from './make-close-report.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { ReconciliationTurnRepository } from './reconciliation-turn.repository.js';
import { ReconciliationService } from './reconciliation.service.js';
import { RunReconciliation } from './run-reconciliation.js';
import { RunReconciliations } from './run-reconciliations.js';
import { WakeReconciliations } from './wake-reconciliations.js';
import { WriteDifferences } from './write-differences.js';

@Module({
  imports: [InstallationsModule, ExportsModule],
  providers: [
    ReconciliationRunRepository,
    ReconciliationTurnRepository,
    DifferenceRepository,
    LoadSides,
    CompareEntries,
    CompareJob,
    FindUnknownJobs,
    FindOrphans,
    WriteDifferences,
    RunReconciliation,
    RunReconciliations,
    WakeReconciliations,
    ActOnDifference,
    CloseReportRepository,
    MakeCloseReport,
    ReconciliationService,
  ],
  exports: [ReconciliationService],
})
export class ReconciliationModule {}
