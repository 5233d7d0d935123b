import type { CompanyId } from '../../../kernel/ids.js';
import type { DiscrepancyClass } from './discrepancy-class.js';
import type { Discrepancy } from './evidence.js';

export type DiscrepancyState = 'open' | 'accepted' | 'repaired';

/** A discrepancy as a person sees it. */
export interface DiscrepancyView {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly class: DiscrepancyClass;
  readonly subject: string;
  readonly accountingEntryId: string | null;
  readonly exportJobId: string | null;
  readonly erpCompanyId: string | null;
  readonly evidence: Discrepancy['evidence'];
  readonly currency: string | null;
  /** Minor units as text. */
  readonly amountMinor: string | null;
  readonly occurredAt: Date;
  readonly state: DiscrepancyState;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly settledAt: Date | null;
  readonly settledBy: string | null;
  readonly settledAs: string | null;
  readonly note: string | null;
  readonly reexportId: string | null;
}

/** Open discrepancies of one class. */
export interface OpenDiscrepancyClass {
  readonly class: DiscrepancyClass;
  readonly count: number;
  readonly oldestSeenAt: Date;
}

/** Of the last discrepancy of a page. */
export interface DiscrepancyPosition {
  readonly firstSeenAt: Date;
  readonly id: string;
}
