import type { DeliveryRecord } from '../deliveries/delivery.repository.js';
import { FORGERIES } from '../deliveries/notification-message.js';
import { html, type Html } from '../../../foundation/http/html.js';
import { button, layout } from './layout.js';
import { shownTime, statusBadge, words } from './wording.js';

export interface DeliveriesView {
  readonly visitor: string;
  readonly notice: string | undefined;
  readonly deliveries: readonly DeliveryRecord[];
}

/** Notifications, newest first, with their attempts, and what a person can do with them. */
export function deliveriesPage({ visitor, notice, deliveries }: DeliveriesView): string {
  const table = html`<table>
    <tr>
      <th>Event</th>
      <th>State</th>
      <th>Attempts</th>
      <th>Next attempt</th>
      <th></th>
    </tr>
    ${deliveries.map(row)}
  </table>`;
  return layout(
    { title: 'Webhooks', visitor, notice, path: '/page/deliveries' },
    html`<section>
      <h2>Notifications <small>newest first</small></h2>
      ${
        deliveries.length === 0
          ? html`<p class="soft">None yet. Pressing Export makes one for each subscription.</p>`
          : table
      }
    </section>`,
  );
}

function row(delivery: DeliveryRecord): Html {
  const { webhookId, eventType, createdAt, state, attempts, nextAttemptAt, body } = delivery;
  const fields = { webhook_id: webhookId };
  const forgeries = FORGERIES.map((forgery) =>
    button('/page/deliveries/forge', words(forgery), { ...fields, forgery }),
  );
  return html`<tr>
    <td class="text">
      <strong>${eventType}</strong><br />${shownTime(createdAt)}<br /><code>${webhookId}</code>
      <details>
        <summary>Body</summary>
        <code>${body}</code>
      </details>
    </td>
    <td>${statusBadge(state)}</td>
    <td>${attempts.map(attemptLine)}</td>
    <td>${nextAttemptAt === null ? html`–` : shownTime(nextAttemptAt)}</td>
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
  return html`<div>
    ${shownTime(new Date(attemptedAt))} → ${outcome}${manual ? html` (by hand)` : html``}
  </div>`;
}
