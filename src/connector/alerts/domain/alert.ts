import { parseStoredMessage, message, type Message } from '../../../kernel/message.js';

/** Facts that raise an alert. */
export const ALERT_KINDS = [
  'export-failed',
  'export-with-errors',
  'deadline-near',
  'authorization-needed',
  'erp-authorization-needed',
  'erp-company-wanted',
  'subscription-disabled',
  'discrepancies-overdue',
  'in-doubt-posting',
  'sync-failed',
  'digest-daily',
  'digest-weekly',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Something that a person should know. The same fact raises one alert. */
export interface AlertFact {
  readonly kind: AlertKind;
  /** Names it among those of its kind. */
  readonly fact: string;
  /** What is different each time, for `alertMessages`. */
  readonly detail: string;
  /** How many things it is about; 1 where there is nothing to count. */
  readonly count: number;
}

export interface AlertMessages {
  readonly title: Message;
  /** What a bookkeeper, or the administrator, does about it. */
  readonly advice: Message;
}

/** Characters of what is kept of it. */
export const MAX_DETAIL = 1_000;
/** Advice that says more where a detail is known: the reason of a failed export, the moment of an unanswered renewal. */
const WITH_DETAIL: ReadonlyMap<AlertKind, string> = new Map([
  ['export-failed', 'alert.export-failed.reason'],
  ['authorization-needed', 'alert.authorization-needed.unanswered'],
]);

/** The text of an alert for a reader who knows bookkeeping, not computers. */
export function alertMessages({ kind, detail, count }: Pick<AlertFact, 'kind' | 'detail' | 'count'>): AlertMessages {
  const kept = parseStoredMessage(detail);
  const parameters = { detail: kept === undefined ? detail.slice(0, MAX_DETAIL) : '', count };
  const withDetail = detail === '' ? undefined : WITH_DETAIL.get(kind);
  return {
    title: message(`alert.${kind}`, parameters),
    advice: kept ?? message(withDetail ?? `alert.${kind}.advice`, parameters),
  };
}
