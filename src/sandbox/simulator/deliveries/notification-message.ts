import { seededShare } from '../failures/seeded-share.js';
import type { SimulatorSettings } from '../clock/simulator-settings.js';
import type { Jitter } from './retry-schedule.js';
import type { DueDelivery } from './delivery.repository.js';
import { signNotification } from './signature.js';

/** One notification ready to be sent: the values of the three headers, and the body. */
export interface NotificationMessage {
  readonly webhookId: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  /** Null: the header is left out. */
  readonly signature: string | null;
  readonly body: string;
}

export interface Moments {
  /** Now by the computer's clock. */
  readonly system: Date;
  /** Now by the simulator's clock. */
  readonly simulator: Date;
}

/** Ways in which a notification is not from the platform. */
export const FORGERIES = ['wrong_secret', 'changed_body', 'old_timestamp', 'unsigned'] as const;
export type Forgery = (typeof FORGERIES)[number];

const FOREIGN_SECRET = `whsec_${Buffer.from('somebody else wrote this').toString('base64')}`;
/** Longer ago than any receiver tolerates (P2.4: five minutes). */
const OLD_SECONDS = 3_600;

/** A notification as an attempt sends it now: stamped and signed by the settings. */
export function composeMessage(
  delivery: DueDelivery,
  settings: Pick<SimulatorSettings, 'webhookTime' | 'webhookTimestamp'>,
  now: Moments,
): NotificationMessage {
  const generated = { system: delivery.generatedAt, simulator: delivery.createdAt };
  const moments = settings.webhookTimestamp === 'attempt' ? now : generated;
  const timestamp = Math.floor(moments[settings.webhookTime].getTime() / 1000);
  return signed(delivery, timestamp, signingSecrets(delivery, now.simulator));
}

/** A message that pretends to be this one. */
export function forgedMessage(
  delivery: DueDelivery,
  message: NotificationMessage,
  forgery: Forgery,
): NotificationMessage {
  switch (forgery) {
    case 'wrong_secret':
      return signed(delivery, message.timestamp, [FOREIGN_SECRET]);
    case 'changed_body':
      return { ...message, body: message.body.replace('"payload":{', '"payload":{"forged":true,') };
    case 'old_timestamp':
      return { ...message, timestamp: message.timestamp - OLD_SECONDS };
    case 'unsigned':
      return { ...message, signature: null };
  }
}

/** Secrets that sign at a moment of the simulator's clock: after a rotation the one before does, too, for a while. */
export function signingSecrets(
  holder: Pick<DueDelivery, 'secret' | 'previousSecret' | 'previousSecretUntil'>,
  now: Date,
): readonly string[] {
  const { secret, previousSecret, previousSecretUntil } = holder;
  const overlaps = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now;
  return overlaps ? [secret, previousSecret] : [secret];
}

/** The jitter of the next attempt, the same at every run with the same seed. */
export function jitterOf(delivery: DueDelivery, settings: SimulatorSettings): Jitter {
  const place = `delivery ${delivery.position.toString()} attempt ${delivery.attempts.toString()}`;
  return {
    percent: settings.retryJitterPercent,
    share: seededShare(settings.retryJitterSeed, place),
  };
}

function signed(delivery: DueDelivery, timestamp: number, secrets: readonly string[]): NotificationMessage {
  const { webhookId, body } = delivery;
  return { webhookId, timestamp, signature: signNotification(secrets, webhookId, timestamp, body), body };
}
