import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { ApplyVendorStep } from './sync/apply-vendor-step.js';
import { ChooseDimensions } from './choose-dimensions.js';
import { DecideVendor } from './decide-vendor.js';
import { DimensionChoiceRepository } from './dimension-choice.repository.js';
import { LoadSyncScope } from './sync/load-sync-scope.js';
import { PlanRunChanges } from './sync/plan-run-changes.js';
import { ListVisibleCompanies } from './list-visible-companies.js';
import { RecordCreatedVendors } from './record-created-vendors.js';
import { RequestScheduledSyncs } from './request-scheduled-syncs.js';
import { StartSyncs } from './start-syncs.js';
import { SyncReader } from './sync.reader.js';
import { RequestSyncs } from './request-syncs.js';
import { ExecuteSync } from './execute-sync.js';
import { ProcessDueSyncs } from './process-due-syncs.js';
import { SyncAccounts } from './sync/sync-accounts.js';
import { SyncRecordRepository } from './sync/sync-record.repository.js';
import { SyncRunRepository } from './sync-run.repository.js';
import { SyncTags } from './sync/sync-tags.js';
import { SyncTaxCodes } from './sync/sync-tax-codes.js';
import { SyncScheduleRepository } from './sync-schedule.repository.js';
import { SyncVendors } from './sync/sync-vendors.js';
import { VendorMatchRepository } from './vendor-match.repository.js';
import { WakeSyncs } from './wake-syncs.js';

/** What other rooms may inject. */
const shared = [
  ProcessDueSyncs,
  WakeSyncs,
  ChooseDimensions,
  DecideVendor,
  RequestScheduledSyncs,
  StartSyncs,
  RecordCreatedVendors,
  ListVisibleCompanies,
  SyncReader,
];

@Module({
  imports: [InstallationsModule, MappingModule, RunsModule],
  providers: [
    ...shared,
    SyncTaxCodes,
    SyncAccounts,
    SyncTags,
    SyncVendors,
    ApplyVendorStep,
    PlanRunChanges,
    LoadSyncScope,
    ExecuteSync,
    RequestSyncs,
    SyncRunRepository,
    SyncRecordRepository,
    SyncScheduleRepository,
    DimensionChoiceRepository,
    VendorMatchRepository,
  ],
  exports: [...shared],
})
export class ReferenceDataModule {}
