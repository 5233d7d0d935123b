import { settingsSchema, type SimulatorSettings } from '../clock/simulator-settings.js';
import { WEBHOOK_EFFECTS, type WebhookSwitch } from '../deliveries/webhook-switch.repository.js';
import { CHANGED_ANSWERS, type FailureSwitch } from '../failures/failure-switch.repository.js';
import { html, type Html } from './html.js';
import { button, layout } from './layout.js';

export interface FailuresView {
  readonly company: string;
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
    { title: 'Failures', company: view.company, notice: view.notice },
    html`${clock(view)}${requests(view.failures)}${webhooks(view.webhookFailures)}${settings(view.settings)}
      <p>Everything else: <a href="/control/docs">/control/docs</a></p>`,
  );
}

function clock({ now, offsetSeconds }: FailuresView): Html {
  const jumps = [300, 3_601, 86_400].map((seconds) =>
    button('/page/clock', `+ ${seconds.toString()} s`, { advance_seconds: seconds.toString() }),
  );
  return html`<section>
    <h2>Clock</h2>
    <p>${now.toISOString()}, ${offsetSeconds} seconds ahead of the computer’s.</p>
    <p>${jumps}</p>
  </section>`;
}

function requests(failures: readonly FailureSwitch[]): Html {
  const rows = failures.map(
    ({ id, method, path, effect, status, delayMs, truncateAt, answer, timesLeft, hits }) =>
      html`<tr>
        <td>${method ?? 'any'} <code>${path}</code></td>
        <td>${effect} ${status} ${answer}</td>
        <td>${delayMs} ms</td>
        <td>${truncateAt}</td>
        <td>${timesLeft ?? 'no limit'}</td>
        <td>${hits}</td>
        <td>${button('/page/failures/remove', 'Remove', { id: id.toString() })}</td>
      </tr>`,
  );
  return html`<section>
    <h2>Requests that fail</h2>
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
  const answers = ['', ...CHANGED_ANSWERS].map((answer) => html`<option>${answer}</option>`);
  return html`<form method="post" action="/page/failures">
    <label>Path <input name="path" value="/v3/export-items" required pattern="/.*" size="28" /></label>
    <label
      >Effect
      <select name="effect">
        <option>before</option>
        <option>after</option>
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
  const effects = WEBHOOK_EFFECTS.map((effect) => html`<option>${effect}</option>`);
  return html`<section>
    <h2>Notifications that fail</h2>
    <table>
      <tr>
        <th>Failure</th>
        <th>Times left</th>
        <th>Hits</th>
        <th></th>
      </tr>
      ${rows}
    </table>
    <form method="post" action="/page/webhook-failures">
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
  const choice = (name: 'retrySchedule' | 'webhookTimestamp' | 'webhookBody' | 'refreshRotation'): Html => {
    const options = shape[name].options.map((value) =>
      value === current[name] ? html`<option selected>${value}</option>` : html`<option>${value}</option>`,
    );
    return html`<label
      >${name}
      <select name="${name}">
        ${options}
      </select></label
    >`;
  };
  return html`<section>
    <h2>Settings</h2>
    <form method="post" action="/page/settings">
      ${choice('retrySchedule')}${choice('webhookTimestamp')}${choice('webhookBody')}${choice('refreshRotation')}
      <label
        >requestsPerMinute
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
