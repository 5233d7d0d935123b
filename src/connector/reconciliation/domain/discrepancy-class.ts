// The kinds of discrepancy between platform, connector and ERP, and what may be done about each (issue 7).

/** Of one accounting entry, or of one line of evidence about it. */
const ENTRY_CLASSES = [
  /** The platform lists it in a job of which we have no such item. */
  'missing-in-record',
  /** We have it in a job that does not list it. */
  'missing-on-platform',
  /** In the books by our record, and the platform has no result. */
  'posted-not-reported',
  /** Failed by our record, and the platform has no result. */
  'failure-not-reported',
  /** Exported in the record, failed on the platform. */
  'reported-as-failed',
  /** Failed in the record, exported on the platform. */
  'reported-as-successful',
  /** The platform points at another entry of the ERP than our record. */
  'link-differs',
  /** Its job expired or was canceled, and the entry stands in the books. */
  'expired-with-posted-entry',
  /** Unknown whether it was posted. */
  'unknown-outcome',
  /** Reported as exported, and nothing of it was ever posted. */
  'reported-not-posted',
  /** Stands in the books, without a record. */
  'posted-not-recorded',
  /** Reported as failed by the job that posted it. */
  'failed-but-posted',
  /** Came to light in the books after it had been reported as failed (invariant I4). */
  'late-effect',
  /** Posted by our record; the ERP has nothing of it under its key, whether or not a person has noted that already. */
  'deleted-in-erp',
  /** Reported as exported, and reversed or discarded since, by the connector or in the ERP: nothing stands. */
  'reversed-in-erp',
  /** Some of its entries are reversed and others stand. */
  'partly-reversed-in-erp',
  /** Reversed in the record, and stands. */
  'stands-though-reversed',
  /** Stands more than once. */
  'duplicate-in-erp',
  /** Stands with another digest or revision than ours. */
  'altered-in-erp',
  'currency-drift',
  'amount-drift',
  'tax-drift',
  'account-drift',
  'date-drift',
  'vendor-drift',
  'dimension-drift',
  /** Planned as posted and a draft, or with other entries than planned. */
  'state-drift',
  /** Was posted to settle an open item, and both are still open. */
  'settlement-open',
  /** Names a vendor that the ERP no longer has. */
  'vendor-orphaned',
  /** Names a dimension value that the ERP no longer has. */
  'tag-orphaned',
] as const;

const JOB_CLASSES = [
  /** The platform has a job that the connector never received. */
  'job-not-received',
  /** We have a job that the platform should have announced and never did: it was found by asking. */
  'webhook-not-received',
  /** The platform does not know a job of our record. */
  'job-not-on-platform',
  /** The platform waits for a verdict that the record has as sent. */
  'verdict-not-delivered',
  /** The record has ended it, and the platform otherwise, or not at all and without a verdict of ours. */
  'verdict-differs',
  /** The platform has announced another number of items than it has listed. */
  'item-count-differs',
  /** What its exported items come to in a currency is not what their entries book (invariant I12). */
  'job-total-differs',
] as const;

const GROUP_CLASSES = [
  /** Stands in the ERP with the connector's mark and a key that the record does not have. */
  'orphan-entry',
] as const;

export const DISCREPANCY_CLASSES = [...ENTRY_CLASSES, ...JOB_CLASSES, ...GROUP_CLASSES] as const;

export type DiscrepancyClass = (typeof DISCREPANCY_CLASSES)[number];

/** What a person may do; a note can always be taken as the explanation. */
export type DiscrepancyAction = 'accept' | 'reverse' | 're-export';

/** An entry stands in the books that should not. */
const REVERSIBLE: ReadonlySet<DiscrepancyClass> = new Set<DiscrepancyClass>([
  'failed-but-posted',
  'late-effect',
  'stands-though-reversed',
  'orphan-entry',
  'duplicate-in-erp',
  'altered-in-erp',
  'partly-reversed-in-erp',
  'amount-drift',
  'currency-drift',
  'tax-drift',
  'account-drift',
  'date-drift',
  'vendor-drift',
  'dimension-drift',
  'expired-with-posted-entry',
]);

/** Only the ERP's side shows whether they are still there; what is unknown of an outcome is found without it. */
export const CLASSES_OF_BOOKS: readonly DiscrepancyClass[] = [
  'expired-with-posted-entry',
  'reported-not-posted',
  'posted-not-recorded',
  'failed-but-posted',
  'late-effect',
  'deleted-in-erp',
  'reversed-in-erp',
  'partly-reversed-in-erp',
  'stands-though-reversed',
  'duplicate-in-erp',
  'altered-in-erp',
  'currency-drift',
  'amount-drift',
  'tax-drift',
  'account-drift',
  'date-drift',
  'vendor-drift',
  'dimension-drift',
  'state-drift',
  'settlement-open',
  'vendor-orphaned',
  'tag-orphaned',
];

/** Another export posts what is not in the books, and reports what is. */
const REEXPORTABLE: ReadonlySet<DiscrepancyClass> = new Set<DiscrepancyClass>([
  'missing-in-record',
  'posted-not-reported',
  'reported-as-failed',
  'reported-as-successful',
  'expired-with-posted-entry',
  'reported-not-posted',
  'failed-but-posted',
  'late-effect',
  'deleted-in-erp',
  'reversed-in-erp',
  'link-differs',
]);

/** @returns what a person may do about a discrepancy of this class, `accept` first */
export function actionsOf(discrepancyClass: DiscrepancyClass): readonly DiscrepancyAction[] {
  return [
    'accept',
    ...(REVERSIBLE.has(discrepancyClass) ? (['reverse'] as const) : []),
    ...(REEXPORTABLE.has(discrepancyClass) ? (['re-export'] as const) : []),
  ];
}

/** Repairs without a person, because no entry in the books changes. */
export type Repair =
  /** The platform still accepts results: report the result again. */
  | 'report-again'
  /** The ERP knows the outcome: look it up. */
  | 'look-up'
  /** The entry in the books is the intended one: import it into the record. */
  | 'adopt'
  /** The ERP settles what was meant for each other when it was posted. */
  | 'settle'
  | 'send-verdict';

/** One discrepancy, before it is recorded. */
export interface DiscrepancyFinding {
  readonly class: DiscrepancyClass;
  readonly repair: Repair | undefined;
}
