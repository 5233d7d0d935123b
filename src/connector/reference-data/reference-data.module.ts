import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { ApplyVendorStep } from './sync/apply-vendor-step.js';
import { ChooseDimensions } from './choose-dimensions.js';
import { DecideVendor } from './decide-vendor.js';
import { DimensionChoiceRepository } from './dimension-choice.repository.js';
import { LoadSyncWork } from './sync/load-sync-work.js';
import { PlanSync } from './sync/plan-sync.js';
import { ReferenceDataService } from './reference-data.service.js';
import { RequestSyncs } from './request-syncs.js';
import { RunSync } from './run-sync.js';
import { RunSyncs } from './run-syncs.js';
import { SyncAccounts } from './sync/sync-accounts.js';
import { SyncRecordRepository } from './sync/sync-record.repository.js';
import { SyncRunRepository } from './sync-run.repository.js';
import { SyncTags } from './sync/sync-tags.js';
import { SyncTaxCodes } from './sync/sync-tax-codes.js';
import { SyncTurnRepository } from './sync-turn.repository.js';
import { SyncVendors } from './sync/sync-vendors.js';
import { VendorMatchRepository } from './vendor-match.repository.js';
import { WakeSyncs } from './wake-syncs.js';

@Module({
  imports: [InstallationsModule, MappingModule],
  providers: [
    SyncTaxCodes,
    SyncAccounts,
    SyncTags,
    SyncVendors,
    ApplyVendorStep,
    PlanSync,
    LoadSyncWork,
    RunSync,
    RunSyncs,
    RequestSyncs,
    WakeSyncs,
    ChooseDimensions,
    DecideVendor,
    SyncRunRepository,
    SyncRecordRepository,
    SyncTurnRepository,
    DimensionChoiceRepository,
    VendorMatchRepository,
    ReferenceDataService,
  ],
  exports: [ReferenceDataService],
})
export class ReferenceDataModule {}
