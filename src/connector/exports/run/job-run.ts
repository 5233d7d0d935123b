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
  /** Bound to the lease: nothing is written once it is lost, nor after the time for posting. */
  readonly erp: ConnectedErp;
  readonly mappingVersion: number;
  /** Set: of these accounting entries only what has this digest may be posted. */
  readonly expected?: ReadonlyMap<string, string> | undefined;
  readonly masterData: JobMasterData;
  /** Fires when the lease is lost or the process stops: finish the call in flight, start no new one. */
  readonly signal: AbortSignal;
}
