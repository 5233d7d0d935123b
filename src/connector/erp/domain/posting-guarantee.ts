/**
 * What the ERP offers against double posting, and so what may follow a post whose outcome is unknown
 * (docs/rules/capability-levels.md). Times are milliseconds.
 */
export type PostingGuarantee =
  /** A key has one effect permanently: send it again. `underWayMs`: how long a request may take to have its effect. */
  | { readonly level: 'permanent-key'; readonly underWayMs?: number }
  /**
   * A key has one effect for `keyLifeMs` after it was first sent; the longest duration of one request is subtracted
   * already. Send it again until then; later look it up first.
   */
  | { readonly level: 'expiring-key'; readonly keyLifeMs: number; readonly underWayMs?: number }
  /**
   * A key is taken once and can be searched, but the search may miss what is younger than `searchLagMs`: look it up
   * until that has passed, then send it again. What is taken and not found yet is `unknown`, never `refused`.
   */
  | { readonly level: 'searchable-reference'; readonly searchLagMs: number }
  /** Nothing, not even a search by key: an unknown outcome needs manual review and is never sent again. */
  | { readonly level: 'none' };
