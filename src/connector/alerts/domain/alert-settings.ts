import type { AlertKind } from './alert.js';

export const ALERT_CHANNELS = ['off', 'webhook', 'mail'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** Where alerts go, and which. */
export interface AlertSettings {
  readonly channel: AlertChannel;
  /** Of the webhook, or of the person; undefined when nobody is told. */
  readonly address: string | undefined;
  readonly kinds: readonly AlertKind[];
}

export interface SavedAlertSettings extends AlertSettings {
  /** Counts up with each save; 0: never saved. */
  readonly version: number;
}
