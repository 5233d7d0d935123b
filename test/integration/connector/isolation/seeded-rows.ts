/** What can be named by an id of an installation. Numbers that both have would prove nothing: each has its own. */
export type SeededIds = Readonly<
  Record<
    | 'exportJobId'
    | 'accountingEntryId'
    | 'uncertainEntryId'
    | 'issueKey'
    | 'reexportId'
    | 'previewId'
    | 'ruleId'
    | 'mappingVersion'
    | 'syncRunId'
    | 'vendorId'
    | 'discrepancyId'
    | 'notificationId'
    | 'quarantinedId'
    | 'memberId'
    | 'apiTokenId',
    string
  >
>;

export const NOW = '2026-11-20T10:00:00Z';
export const LATER = '2099-01-01T00:00:00Z';
/** Of nothing in particular. */
export const DIGEST = Buffer.alloc(32, 1);

export type Row = Readonly<Record<string, unknown>>;
export type Rows = readonly (readonly [table: string, row: Row])[];

/** Whose rows they are, and what they are called. */
export interface SeedContext {
  readonly installationId: string;
  readonly companyId: string;
  readonly ids: SeededIds;
  /** How often the installation was furnished before. */
  readonly nth: number;
}
