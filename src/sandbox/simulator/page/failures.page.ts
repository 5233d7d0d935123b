import { settingsSchema, type SimulatorSettings } from '../clock/simulator-settings.js';
import { WEBHOOK_EFFECTS, type WebhookSwitch } from '../deliveries/webhook-switch.repository.js';
import { RESPONSE_CHANGES, type FailureSwitch } from '../failures/failure-switch.repository.js';
import { html, type Html } from '../../../foundation/http/html.js';
import { button, layout } from './layout.js';
import { shownTime, words } from './wording.js';

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

/** Clock, settings and switches. The control has more of each; this is what a person wants at hand. */
export function failuresPage(view: FailuresView): string {
  return layout(
    { title: 'Failures and clock', visitor: view.visitor, notice: view.notice, path: '/page/failures' },
    html`${clock(view)}${requests(view.failures)}${webhooks(view.webhookFailures)}${settings(view.settings)}
      <p class="soft">The control has more of each: <a href="/control/docs">/control/docs</a></p>`,
  );
}

function clock({ now, offsetSeconds }: FailuresView): Html {
  const jumps = JUMPS.map(([label, seconds]) =>
    button('/page/clock', label, { advance_seconds: seconds.toString() }),
  );
  return html`<section>
    <h2>Clock</h2>
    <p>
      ${shownTime(now)}, ${offsetSeconds} seconds ahead of the computer’s. Jobs expire and notifications go
      out by this clock.
    </p>
    <div class="row">${jumps}</div>
  </section>`;
}

function requests(failures: readonly FailureSwitch[]): Html {
  const rows = failures.map(
    ({ id, method, path, effect, status, delayMs, truncateAt, answer, timesLeft, hits }) =>
      html`<tr>
        <td>${method ?? 'any'} <code>${path}</code></td>
        <td>${effect} the effect: ${status} ${answer}</td>
        <td>${delayMs} ms</td>
        <td>${truncateAt}</td>
        <td>${timesLeft ?? 'no limit'}</td>
        <td>${hits}</td>
        <td>${button('/page/failures/remove', 'Remove', { id: id.toString() })}</td>
      </tr>`,
  );
  return html`<section>
    <h2>Requests that fail <small>how the platform answers the application</small></h2>
    <table>
      <tr>
        <th>Request</th>
        <th>Failure</th>
        <th>Delay</th>
        <th>Cut at</th>
        <th>Times left</th>
        <th>Hits</th>
        <th></th>
      </tr>
      ${rows}
    </table>
    ${newFailure()}
  </section>`;
}

function newFailure(): Html {
  const answers = ['', ...RESPONSE_CHANGES].map((answer) => html`<option>${answer}</option>`);
  return html`<form method="post" action="/page/failures" class="fields">
    <label>Path <input name="path" value="/v3/export-items" required pattern="/.*" size="28" /></label>
    <label
      >Fails, effect
      <select name="effect">
        <option value="before">before it</option>
        <option value="after">after it</option>
      </select></label
    >
    <label>Status <input name="status" inputmode="numeric" pattern="[2-5][0-9][0-9]" size="4" /></label>
    <label>Retry-After <input name="retry_after" size="4" /></label>
    <label
      >Delay, ms <input name="delay_ms" value="0" inputmode="numeric" pattern="[0-9]{1,6}" size="6"
    /></label>
    <label>Cut at byte <input name="truncate_at" inputmode="numeric" pattern="[0-9]{1,9}" size="6" /></label>
    <label
      >Answer
      <select name="answer">
        ${answers}
      </select></label
    >
    <label
      >Percent <input name="percent" value="100" inputmode="numeric" pattern="[0-9]{1,3}" size="4"
    /></label>
    <label>Seed <input name="seed" value="1" inputmode="numeric" pattern="[0-9]{1,9}" size="6" /></label>
    <label>Times <input name="times" inputmode="numeric" pattern="[0-9]{1,6}" size="4" /></label>
    <button>Add</button>
  </form>`;
}

function webhooks(switches: readonly WebhookSwitch[]): Html {
  const rows = switches.map(
    ({ id, effect, forgery, timesLeft, hits }) =>
      html`<tr>
        <td>${effect} ${forgery}</td>
        <td>${timesLeft ?? 'no limit'}</td>
        <td>${hits}</td>
        <td>${button('/page/webhook-failures/remove', 'Remove', { id: id.toString() })}</td>
      </tr>`,
  );
  const effects = WEBHOOK_EFFECTS.map((effect) => html`<option value="${effect}">${words(effect)}</option>`);
  return html`<section>
    <h2>Notifications that fail <small>how webhooks reach the application</small></h2>
    <table>
      <tr>
        <th>Failure</th>
        <th>Times left</th>
        <th>Hits</th>
        <th></th>
      </tr>
      ${rows}
    </table>
    <form method="post" action="/page/webhook-failures" class="fields">
      <label
        >Failure
        <select name="effect">
          ${effects}
        </select></label
      >
      <label>Times <input name="times" value="1" inputmode="numeric" pattern="[0-9]{1,6}" size="4" /></label>
      <button>Add</button>
    </form>
  </section>`;
}

function settings(current: SimulatorSettings): Html {
  const shape = settingsSchema.unwrap().shape;
  const choices = CHOICES.map(([name, label]) => {
    const options = shape[name].options.map(
      (value) =>
        html`<option value="${value}" ${value === current[name] ? html`selected` : html``}>
          ${words(value)}
        </option>`,
    );
    return html`<label
      >${label}
      <select name="${name}">
        ${options}
      </select></label
    >`;
  });
  return html`<section>
    <h2>Settings</h2>
    <form method="post" action="/page/settings" class="fields">
      ${choices}
      <label
        >Requests per minute
        <input
          name="requestsPerMinute"
          value="${current.requestsPerMinute}"
          inputmode="numeric"
          pattern="[0-9]{1,6}"
          size="6" /></label
      ><button>Save</button>
    </form>
  </section>`;
}
