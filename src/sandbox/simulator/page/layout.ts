import { Html, html, htmlDocument } from '../../../foundation/http/html.js';
import { PAGE_STYLE } from './page-style.js';

export interface Frame {
  readonly title: string;
  /** Whose page it is, as a person reads it; unset when nobody is signed in. */
  readonly visitor: string | undefined;
  /** What went wrong with the form that was just sent. */
  readonly notice: string | undefined;
  /** Which of the three pages it is; unset for the sign-in. */
  readonly path?: string;
}

const PAGES = [
  ['/', 'Exports'],
  ['/page/deliveries', 'Webhooks'],
  ['/page/failures', 'Failures and clock'],
] as const;

/** A whole page: head, navigation, body. */
export function layout({ title, visitor, notice, path }: Frame, body: Html): string {
  const links = PAGES.map(([address, label]) =>
    address === path
      ? html`<a href="${address}" aria-current="page">${label}</a>`
      : html`<a href="${address}">${label}</a>`,
  );
  const navigation =
    visitor === undefined
      ? html``
      : html`<nav class="row">${links}</nav>
          <form method="post" action="/page/sign-out">
            <span>${visitor}</span><button>Sign out</button>
          </form>`;
  return htmlDocument(
    title,
    html`<link rel="icon" href="data:," />
      <style>
        ${new Html(PAGE_STYLE)}
      </style>
      <script src="/page/script.js" defer></script>`,
    html`<header>
        <div><strong>Platform simulator</strong>${navigation}</div>
      </header>
      <main>
        ${notice === undefined ? html`` : html`<p class="notice" role="alert">${notice}</p>`}${body}
      </main>`,
  );
}

/** A form that is one button. */
export function button(action: string, label: string, fields: Readonly<Record<string, string>> = {}): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${action}">${hidden}<button>${label}</button></form>`;
}
