import { Table } from '../../../../foundation/pages/table.js';
import type { DeliveryRecord } from '../../deliveries/delivery.repository.js';
import { FORGERIES } from '../../deliveries/notification-message.js';
import { ButtonForm, layout } from './layout.js';
import { StatusBadge, Time, words } from './wording.js';

export interface DeliveriesView {
  readonly visitor: string;
  readonly notice: string | undefined;
  readonly deliveries: readonly DeliveryRecord[];
}

/** Notifications, newest first, with their attempts and the actions on them. */
export function deliveriesPage({ visitor, notice, deliveries }: DeliveriesView): string {
  return layout(
    { title: 'Webhooks', visitor, notice, path: '/page/deliveries' },
    <section>
      <h2>
        Notifications <small>newest first</small>
      </h2>
      {deliveries.length === 0 ? (
        <p className="soft">None yet. Pressing Export makes one for each subscription.</p>
      ) : (
        <Table columns={['Event', 'State', 'Attempts', 'Next attempt', '']}>
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.webhookId} {...delivery} />
          ))}
        </Table>
      )}
    </section>,
  );
}

function DeliveryRow(delivery: DeliveryRecord) {
  const { webhookId, eventType, createdAt, state, attempts, nextAttemptAt, body } = delivery;
  const fields = { webhook_id: webhookId };
  return (
    <tr>
      <td className="text">
        <strong>{eventType}</strong>
        <br />
        <Time instant={createdAt} />
        <br />
        <code>{webhookId}</code>
        <details>
          <summary>Body</summary>
          <code>{body}</code>
        </details>
      </td>
      <td>
        <StatusBadge status={state} />
      </td>
      <td>
        {attempts.map((attempt, index) => (
          <Attempt key={index} {...attempt} />
        ))}
      </td>
      <td>{nextAttemptAt === null ? '–' : <Time instant={nextAttemptAt} />}</td>
      <td>
        <ButtonForm action="/page/deliveries/resend" label="Resend" fields={fields} />
        <ButtonForm action="/page/deliveries/replay" label="Replay" fields={fields} />
        <details>
          <summary>Forge</summary>
          {FORGERIES.map((forgery) => (
            <ButtonForm
              key={forgery}
              action="/page/deliveries/forge"
              label={words(forgery)}
              fields={{ ...fields, forgery }}
            />
          ))}
        </details>
      </td>
    </tr>
  );
}

function Attempt({ attemptedAt, status, failure, manual }: DeliveryRecord['attempts'][number]) {
  return (
    <div>
      <Time instant={new Date(attemptedAt)} /> → {status ?? failure}
      {manual && ' (by hand)'}
    </div>
  );
}
