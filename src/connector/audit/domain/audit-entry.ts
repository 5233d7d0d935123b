/** Columns of an audited row by their names. */
export type AuditedColumns = Readonly<Record<string, unknown>>;

/** One entry of the audit log. */
export interface AuditEntry {
  readonly position: bigint;
  readonly occurredAt: Date;
  readonly actor: string;
  readonly requestId: string | null;
  readonly object: string;
  readonly objectId: string;
  readonly action: 'created' | 'changed' | 'removed';
  readonly before: AuditedColumns | null;
  readonly after: AuditedColumns | null;
  readonly hash: string;
  /** Of a download, the caller's IP address while it is kept; otherwise null. */
  readonly address: string | null;
}

export interface AuditFilter {
  readonly object: string | undefined;
  readonly objectId: string | undefined;
  readonly actor: string | undefined;
  /** Start, inclusive. */
  readonly from: Date | undefined;
  /** End, exclusive. */
  readonly to: Date | undefined;
  /** Only entries before this position. */
  readonly below: bigint | undefined;
  readonly limit: number;
}
