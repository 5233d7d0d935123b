import type { ErpCompanyId } from '../../../kernel/ids.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import type { JobMasterData } from '../items/job-master-data.js';

/** One worker's run of one job, from the pre-export checks on. */
export interface JobRun {
  readonly job: ExportJob;
  readonly lease: CompanyLease;
  readonly erpCompanyId: ErpCompanyId;
  /** Writes nothing once the lease is lost or the time for posting is over. */
  readonly erp: ConnectedErp;
  readonly mappingVersion: number;
  /** Of a committed preview: the only plan that may be posted for each accounting entry, as its digest. */
  readonly expected?: ReadonlyMap<string, string> | undefined;
  /** Accounting entries that a person has booked by hand, as they noted before the run. */
  readonly bookedByHand: ReadonlySet<string>;
  readonly masterData: JobMasterData;
  /** Fires when the lease is lost, the process stops, or the run has to end early: finish the call under way, start no new one. */
  readonly signal: AbortSignal;
}
