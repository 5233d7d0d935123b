import { Table } from '../../../../foundation/pages/table.js';
import { settingsSchema, type SimulatorSettings } from '../../clock/simulator-settings.js';
import { WEBHOOK_EFFECTS, type WebhookSwitch } from '../../deliveries/webhook-switch.repository.js';
import { RESPONSE_CHANGES, type FailureSwitch } from '../../failures/failure-switch.repository.js';
import { ButtonForm, layout } from './layout.js';
import { Options, Time } from './wording.js';

const JUMPS = [
  ['5 minutes later', 300],
  ['An hour later', 3_601],
  ['A day later', 86_400],
] as const;
const CHOICES = [
  ['retrySchedule', 'Attempts of a notification'],
  ['webhookTimestamp', 'Webhook timestamp is of'],
  ['webhookBody', 'Webhook body'],
  ['refreshRotation', 'Refresh token rotation'],
] as const;

export interface FailuresView {
  readonly visitor: string;
  readonly notice: string | undefined;
  readonly now: Date;
  readonly offsetSeconds: number;
  readonly settings: SimulatorSettings;
  readonly failures: readonly FailureSwitch[];
  readonly webhookFailures: readonly WebhookSwitch[];
}

/** Clock, settings and switches. The control has more of each; the page has what a person needs most often. */
export function failuresPage(view: FailuresView): string {
  return layout(
    { title: 'Failures and clock', visitor: view.visitor, notice: view.notice, path: '/page/failures' },
    <>
      <Clock {...view} />
      <RequestFailures failures={view.failures} />
      <WebhookFailures switches={view.webhookFailures} />
      <Settings current={view.settings} />
      <p className="soft">
        The control has more of each: <a href="/control/docs">/control/docs</a>
      </p>
    </>,
  );
}

function Clock({ now, offsetSeconds }: FailuresView) {
  return (
    <section>
      <h2>Clock</h2>
      <p>
        <Time instant={now} />, {offsetSeconds} seconds ahead of the computer’s. Jobs expire and notifications go out by
        this clock.
      </p>
      <div className="row">
        {JUMPS.map(([label, seconds]) => (
          <ButtonForm key={label} action="/page/clock" label={label} fields={{ advance_seconds: seconds.toString() }} />
        ))}
      </div>
    </section>
  );
}

function RequestFailures({ failures }: { readonly failures: readonly FailureSwitch[] }) {
  return (
    <section>
      <h2>
        Requests that fail <small>how the platform responds to the application</small>
      </h2>
      <Table columns={['Request', 'Failure', 'Delay', 'Cut at', 'Times left', 'Hits', '']}>
        {failures.map(({ id, method, path, effect, status, delayMs, truncateAt, answer, timesLeft, hits }) => (
          <tr key={id}>
            <td>
              {method ?? 'any'} <code>{path}</code>
            </td>
            <td>
              {effect} the effect: {status} {answer}
            </td>
            <td>{delayMs} ms</td>
            <td>{truncateAt}</td>
            <td>{timesLeft ?? 'no limit'}</td>
            <td>{hits}</td>
            <td>
              <ButtonForm action="/page/failures/remove" label="Remove" fields={{ id: id.toString() }} />
            </td>
          </tr>
        ))}
      </Table>
      <NewFailure />
    </section>
  );
}

function NewFailure() {
  return (
    <form method="post" action="/page/failures" className="fields">
      <label>
        Path <input name="path" defaultValue="/v3/export-items" required pattern="/.*" size={28} />
      </label>
      <label>
        Fails, effect{' '}
        <select name="effect">
          <option value="before">before it</option>
          <option value="after">after it</option>
        </select>
      </label>
      <NumberField label="Status" name="status" pattern="[2-5][0-9][0-9]" size={4} />
      <label>
        Retry-After <input name="retry_after" size={4} />
      </label>
      <NumberField label="Delay, ms" name="delay_ms" value="0" size={6} />
      <NumberField label="Cut at byte" name="truncate_at" pattern="[0-9]{1,9}" size={6} />
      <label>
        Response{' '}
        <select name="answer">
          {['', ...RESPONSE_CHANGES].map((change) => (
            <option key={change}>{change}</option>
          ))}
        </select>
      </label>
      <NumberField label="Percent" name="percent" value="100" pattern="[0-9]{1,3}" size={4} />
      <NumberField label="Seed" name="seed" value="1" pattern="[0-9]{1,9}" size={6} />
      <NumberField label="Times" name="times" size={4} />
      <button>Add</button>
    </form>
  );
}

function WebhookFailures({ switches }: { readonly switches: readonly WebhookSwitch[] }) {
  return (
    <section>
      <h2>
        Notifications that fail <small>how webhooks reach the application</small>
      </h2>
      <Table columns={['Failure', 'Times left', 'Hits', '']}>
        {switches.map(({ id, effect, forgery, timesLeft, hits }) => (
          <tr key={id}>
            <td>
              {effect} {forgery}
            </td>
            <td>{timesLeft ?? 'no limit'}</td>
            <td>{hits}</td>
            <td>
              <ButtonForm action="/page/webhook-failures/remove" label="Remove" fields={{ id: id.toString() }} />
            </td>
          </tr>
        ))}
      </Table>
      <form method="post" action="/page/webhook-failures" className="fields">
        <label>
          Failure{' '}
          <select name="effect">
            <Options values={WEBHOOK_EFFECTS} />
          </select>
        </label>
        <NumberField label="Times" name="times" value="1" size={4} />
        <button>Add</button>
      </form>
    </section>
  );
}

function Settings({ current }: { readonly current: SimulatorSettings }) {
  const { shape } = settingsSchema.unwrap();
  return (
    <section>
      <h2>Settings</h2>
      <form method="post" action="/page/settings" className="fields">
        {CHOICES.map(([name, label]) => (
          <label key={name}>
            {label}{' '}
            <select name={name} defaultValue={current[name]}>
              <Options values={shape[name].options} />
            </select>
          </label>
        ))}
        <NumberField
          label="Requests per minute"
          name="requestsPerMinute"
          value={current.requestsPerMinute?.toString()}
          size={6}
        />
        <button>Save</button>
      </form>
    </section>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly pattern?: string;
  readonly size: number;
}

function NumberField({ label, name, value, pattern = '[0-9]{1,6}', size }: NumberFieldProps) {
  return (
    <label>
      {label} <input name={name} defaultValue={value} inputMode="numeric" pattern={pattern} size={size} />
    </label>
  );
}
