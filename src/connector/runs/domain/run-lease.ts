import type { CompanyId, InstallationId } from '../../../kernel/ids.js';

/** Time-limited ownership. The fence grows with each owner, so that a write of a former owner is recognized. */
export interface Lease {
  readonly installationId: InstallationId;
  readonly fence: bigint;
}

/** A run that one worker owns. */
export interface RunLease extends Lease {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly kind: string;
  /** Attempts in a row that failed, with the one that has begun. */
  readonly attempts: number;
}
