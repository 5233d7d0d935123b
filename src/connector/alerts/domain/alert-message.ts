import type { AlertKind } from './alert.js';

export interface SentAlert {
  readonly id: string;
  /** `test`: nothing has happened, a person tries whether messages arrive. */
  readonly kind: AlertKind | 'test';
  readonly title: string;
  readonly advice: string;
  readonly raisedAt: Date;
}

/** An alert as an administrator reads it. */
export interface AlertView extends SentAlert {
  readonly kind: AlertKind;
  readonly fact: string;
  readonly detail: string;
  readonly count: number;
  /** `waiting`: no message yet, or it is tried again · `failed`: given up after the last attempt. */
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly sentAt: Date | null;
  /** Of the last attempt that failed. */
  readonly problem: string | null;
}

/** Position of the last alert of a page, newest first. */
export type AlertPosition = Pick<AlertView, 'raisedAt' | 'id'>;

/** One message, for each channel. */
export interface AlertMessage {
  readonly id: string;
  readonly installationId: string;
  readonly companyName: string;
  /** Where a person resolves it. */
  readonly link: string;
  /** Oldest first. */
  readonly alerts: readonly SentAlert[];
}

/** Where on the page for people the cause of an alert is resolved. What needs an overview has its first page. */
const PAGES: Readonly<Partial<Record<SentAlert['kind'], string>>> = {
  'export-failed': '/issues',
  'export-with-errors': '/issues',
  'erp-authorization-needed': '/setup',
  'erp-company-wanted': '/setup',
  'discrepancies-overdue': '/reconciliation',
  'in-doubt-posting': '/reconciliation',
  'sync-failed': '/reference-data',
  test: '/people?tab=alerts',
};

/** @returns path of the page that all alerts of a message concern; empty, the first page, where they concern several */
export function pageFor(alerts: readonly Pick<SentAlert, 'kind'>[]): string {
  const pages = new Set(alerts.map(({ kind }) => PAGES[kind] ?? ''));
  const [page] = pages;
  return page === undefined || pages.size > 1 ? '' : page;
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
  const what = alerts.length === 1 && first !== undefined ? first.title : `${alerts.length.toString()} alerts`;
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
    `To the page: ${link}`,
    '',
  ].join('\n');
}
