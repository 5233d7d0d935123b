import type { DeliveryRecord } from '../deliveries/delivery.repository.js';
import { FORGERIES } from '../deliveries/notification-message.js';
import { html, type Html } from './html.js';
import { button, layout } from './layout.js';

export interface DeliveriesView {
  readonly company: string;
  readonly notice: string | undefined;
  readonly deliveries: readonly DeliveryRecord[];
}

/** Notifications, newest first, with their attempts, and what a person can do with them. */
export function deliveriesPage({ company, notice, deliveries }: DeliveriesView): string {
  return layout(
    { title: 'Webhooks', company, notice },
    html`<section>
      <h2>Notifications</h2>
      <table>
        <tr>
          <th>Event</th>
          <th>State</th>
          <th>Attempts</th>
          <th>Next</th>
          <th></th>
        </tr>
        ${deliveries.map(row)}
      </table>
    </section>`,
  );
}

function row(delivery: DeliveryRecord): Html {
  const { webhookId, eventType, createdAt, state, attempts, nextAttemptAt, body } = delivery;
  const fields = { webhook_id: webhookId };
  const forgeries = FORGERIES.map((forgery) =>
    button('/page/deliveries/forge', forgery, { ...fields, forgery }),
  );
  return html`<tr>
    <td>
      ${eventType}<br />${createdAt.toISOString()}<br /><code>${webhookId}</code>
      <details>
        <summary>Body</summary>
        <code>${body}</code>
      </details>
    </td>
    <td>${state}</td>
    <td>${attempts.map(attemptLine)}</td>
    <td>${nextAttemptAt?.toISOString()}</td>
    <td>
      ${button('/page/deliveries/resend', 'Resend', fields)}${button('/page/deliveries/replay', 'Replay', fields)}
      <details>
        <summary>Forge</summary>
        ${forgeries}
      </details>
    </td>
  </tr>`;
}

function attemptLine({ attemptedAt, status, failure, manual }: DeliveryRecord['attempts'][number]): Html {
  const outcome = status === null ? failure : status.toString();
  return html`<div>${attemptedAt} → ${outcome}${manual ? html` (by hand)` : html``}</div>`;
}
