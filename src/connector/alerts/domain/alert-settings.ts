import type { AlertKind } from './alert.js';

export const ALERT_CHANNELS = ['off', 'webhook', 'mail'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** Where alerts go, and which. */
export interface AlertSettings {
  readonly channel: AlertChannel;
  /** Of the mailbox, or of the webhook with its secret part masked; undefined when alerts are off. */
  readonly address: string | undefined;
  readonly kinds: readonly AlertKind[];
}

export interface SavedAlertSettings extends AlertSettings {
  /** Counts up with each save; 0: never saved. */
  readonly version: number;
}

const SHOWN_CHARACTERS = 4;

/** What people see of a webhook's address, which may itself be a secret: its host, and its end to recognize it. */
export function maskAddress(address: string): string {
  const { host, pathname, search } = new URL(address);
  return `${host}…${(pathname + search).slice(-SHOWN_CHARACTERS)}`;
}
