import type { AlertKind } from './alert.js';

export interface SentAlert {
  readonly id: string;
  /** `test`: nothing has happened, a person tries whether messages arrive. */
  readonly kind: AlertKind | 'test';
  readonly title: string;
  readonly advice: string;
  readonly raisedAt: Date;
}

/** One message, whatever way it goes. */
export interface AlertMessage {
  readonly id: string;
  readonly installationId: string;
  readonly companyName: string;
  /** Where a person mends it. */
  readonly link: string;
  /** Oldest first. */
  readonly alerts: readonly SentAlert[];
}

/** Alerts that a message spells out; of more it gives the number. */
const SPELT_OUT = 20;
const MAX_SUBJECT_LENGTH = 150;

/** Body of a webhook, in the envelope of Standard Webhooks: `{type, timestamp, data}`. */
export function webhookBody(message: AlertMessage, at: Date): string {
  const { installationId, companyName, link, alerts } = message;
  const shown = alerts
    .slice(0, SPELT_OUT)
    .map(({ id, kind, title, advice, raisedAt }) => ({ id, kind, title, advice, raisedAt }));
  const data = { installationId, companyName, link, total: alerts.length, alerts: shown };
  return JSON.stringify({ type: 'connector.alerts', timestamp: at, data });
}

export function mailSubject({ companyName, alerts }: AlertMessage): string {
  const [first] = alerts;
  const what =
    alerts.length === 1 && first !== undefined ? first.title : `${alerts.length.toString()} alerts`;
  // A line break would begin another header.
  return `${companyName}: ${what}`.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MAX_SUBJECT_LENGTH);
}

export function mailText({ companyName, link, alerts }: AlertMessage): string {
  const shown = alerts
    .slice(0, SPELT_OUT)
    .map(({ title, advice, raisedAt }) => `${raisedAt.toISOString()}  ${title}\n${advice}\n`);
  const rest = alerts.length - shown.length;
  return [
    `ERP export connector of ${companyName}`,
    '',
    ...shown,
    ...(rest > 0 ? [`… and ${rest.toString()} more.`, ''] : []),
    `Settings: ${link}`,
    '',
  ].join('\n');
}
