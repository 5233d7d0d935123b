import { html, type Html } from '../../../foundation/http/html.js';

const STATUSES: Readonly<Record<string, string>> = {
  pending: 'Waiting',
  in_progress: 'Exporting',
  successful: 'Exported',
  completed: 'Exported',
  completed_with_errors: 'Exported with errors',
  failed: 'Failed',
  abandoned: 'Not exported',
  acknowledged: 'Delivered',
  due: 'Being delivered',
  given_up: 'Given up',
  skipped: 'Not sent',
};

/** A name of the interface as a person reads it: `account_unknown` is “Account unknown”. */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A status as a colored word; the interface's own name shows when pointed at. */
export function statusBadge(status: string): Html {
  return html`<span class="badge ${status}" title="${status}">${STATUSES[status] ?? words(status)}</span>`;
}

/** How a status reads in a sentence: “142 exported”. */
export function countedStatus(status: string, count: number): string {
  return `${count.toString()} ${(STATUSES[status] ?? words(status)).toLowerCase()}`;
}

/** An instant to the second, in UTC. */
export function shownTime(instant: Date): Html {
  const iso = instant.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}
