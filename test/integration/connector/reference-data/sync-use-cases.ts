import type { INestApplicationContext, Type } from '@nestjs/common';
import { ChooseDimensions } from '../../../../src/connector/reference-data/choose-dimensions.js';
import { DecideVendor } from '../../../../src/connector/reference-data/decide-vendor.js';
import { ListVisibleCompanies } from '../../../../src/connector/reference-data/list-visible-companies.js';
import { ProcessDueSyncs } from '../../../../src/connector/reference-data/process-due-syncs.js';
import { RecordCreatedVendors } from '../../../../src/connector/reference-data/record-created-vendors.js';
import { RequestScheduledSyncs } from '../../../../src/connector/reference-data/request-scheduled-syncs.js';
import { StartSyncs } from '../../../../src/connector/reference-data/start-syncs.js';
import { SyncReader } from '../../../../src/connector/reference-data/sync.reader.js';
import { WakeSyncs } from '../../../../src/connector/reference-data/wake-syncs.js';

/** The use cases of the room as a test calls them. */
export class SyncUseCases {
  readonly chooseDimensions: ChooseDimensions;
  readonly decideVendor: DecideVendor;
  readonly listVisibleCompanies: ListVisibleCompanies;
  readonly processDueSyncs: ProcessDueSyncs;
  readonly recordCreatedVendors: RecordCreatedVendors;
  readonly requestScheduledSyncs: RequestScheduledSyncs;
  readonly startSyncs: StartSyncs;
  readonly reader: SyncReader;
  readonly wakeSyncs: WakeSyncs;

  constructor(app: INestApplicationContext) {
    const get = <T>(type: Type<T>): T => app.get(type, { strict: false });
    this.chooseDimensions = get(ChooseDimensions);
    this.decideVendor = get(DecideVendor);
    this.listVisibleCompanies = get(ListVisibleCompanies);
    this.processDueSyncs = get(ProcessDueSyncs);
    this.recordCreatedVendors = get(RecordCreatedVendors);
    this.requestScheduledSyncs = get(RequestScheduledSyncs);
    this.startSyncs = get(StartSyncs);
    this.reader = get(SyncReader);
    this.wakeSyncs = get(WakeSyncs);
  }
}
