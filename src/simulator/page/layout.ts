import { Html, html } from './html.js';

/** Content security policy of the page: its own script and forms, nothing of other places. */
export const PAGE_POLICY =
  `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; ` +
  `frame-ancestors 'none'`;

const STYLE = `body { font: 15px/1.5 system-ui, sans-serif; margin: 0; color: #1d1d1f; background: #f6f6f7 }
header { background: #22223b; color: #fff; padding: .75rem 1.5rem; display: flex; gap: 1.5rem; align-items: center }
header a { color: #fff } header form { margin-left: auto }
main { max-width: 72rem; margin: 1.5rem auto; padding: 0 1rem }
section { background: #fff; border: 1px solid #ddd; border-radius: .5rem; padding: 1rem 1.25rem; margin-bottom: 1.25rem }
h2 { margin: 0 0 .5rem; font-size: 1.1rem } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .35rem .5rem; border-top: 1px solid #eee; vertical-align: top } th { border: 0 }
td.amount { text-align: right; font-variant-numeric: tabular-nums }
input, select, button { font: inherit; padding: .3rem .5rem } label { display: inline-block; margin: 0 1rem .5rem 0 }
button.main { background: #22223b; color: #fff; border: 0; border-radius: .3rem; padding: .5rem 1.25rem }
td form, p form { display: inline } .failed, .abandoned { color: #b00020 } .successful, .completed { color: #0a7a33 }
.notice { background: #fff4ce; padding: .5rem .75rem; border-radius: .3rem } code { overflow-wrap: anywhere }`;

export interface Frame {
  readonly title: string;
  /** Name of the company somebody is signed in for; unset when nobody is. */
  readonly company: string | undefined;
  /** What went wrong with the form that was just sent. */
  readonly notice: string | undefined;
}

/** A whole page: head, navigation, body. */
export function layout({ title, company, notice }: Frame, body: Html): string {
  const navigation =
    company === undefined
      ? html``
      : html`<a href="/">Exports</a><a href="/page/deliveries">Webhooks</a
          ><a href="/page/failures">Failures</a>
          <form method="post" action="/page/sign-out">${company} <button>Sign out</button></form>`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${new Html(STYLE)}
        </style>
        <script src="/page/script.js" defer></script>
      </head>
      <body>
        <header><strong>Platform simulator</strong>${navigation}</header>
        <main>
          ${notice === undefined ? html`` : html`<p class="notice" role="alert">${notice}</p>`}${body}
        </main>
      </body>
    </html> `;
  return page.text;
}

/** A form that is one button. */
export function button(action: string, label: string, fields: Readonly<Record<string, string>> = {}): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${action}">${hidden}<button>${label}</button></form>`;
}
