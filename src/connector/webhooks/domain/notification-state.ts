/** Why a correctly signed message was refused. */
export type RefusedReason = 'malformed' | 'foreign-company' | 'conflicting-body';

/** Why one was quarantined. `company-not-mapped`: not refused all the same, since the sender should not send it again. */
export type QuarantineReason = RefusedReason | 'company-not-mapped';

/**
 * `taken`: accepted, of an event that is handled · `ignored`: accepted, of another event · `quarantined`: signed, but not
 * accepted · `replayed`: accepted after it was quarantined.
 */
export const NOTIFICATION_STATES = ['taken', 'ignored', 'quarantined', 'replayed'] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** Events with a use case behind them (`handle-notification.ts`). */
export const HANDLED_EVENT_TYPES: readonly string[] = ['v1.export-job.created', 'v1.vendor.created'];
