import type { AlertKind } from './alert.js';

export const ALERT_CHANNELS = ['off', 'webhook', 'mail'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** Where alerts go, and which. */
export interface AlertSettings {
  readonly channel: AlertChannel;
  /** Of the person, or of the webhook as people are shown it; undefined when nobody is told. */
  readonly address: string | undefined;
  readonly kinds: readonly AlertKind[];
}

export interface SavedAlertSettings extends AlertSettings {
  /** Counts up with each save; 0: never saved. */
  readonly version: number;
}

const SHOWN_CHARACTERS = 4;

/** What people are shown of a webhook's address, which may be a secret itself: whose it is, and the end to tell it by. */
export function maskAddress(address: string): string {
  const { host, pathname, search } = new URL(address);
  return `${host}…${(pathname + search).slice(-SHOWN_CHARACTERS)}`;
}
