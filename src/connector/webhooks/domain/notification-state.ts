/** Why a correctly signed message did not get into the inbox. */
export type QuarantineReason = 'malformed' | 'foreign-company' | 'company-not-mapped' | 'conflicting-body';

/**
 * `taken`: in the inbox, of an event we act on · `ignored`: in the inbox, of another event · `quarantined`: kept aside ·
 * `replayed`: was quarantined, and the inbox has taken it since.
 */
export const NOTIFICATION_STATES = ['taken', 'ignored', 'quarantined', 'replayed'] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** Events with a use case behind them (`task-handlers.ts`). */
export const HANDLED_EVENT_TYPES: readonly string[] = ['v1.export-job.created'];
