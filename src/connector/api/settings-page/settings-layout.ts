import { html, htmlDocument, type Html } from '../../../foundation/http/html.js';

/** Where everything of the page is; forms go below it. */
export const SETTINGS_PATH = '/settings';

/** A whole page. Nothing of it needs a script. */
export function settingsLayout(title: string, header: Html, body: Html): string {
  return htmlDocument(
    title,
    html`<link rel="stylesheet" href="${SETTINGS_PATH}/style.css" />`,
    html`<header>
        <h1>${title}</h1>
        ${header}
      </header>
      <main>${body}</main>`,
  );
}

/** A page that says one thing and leads back, or to another page below the settings. */
export function messagePage(title: string, text: string, link: string, path: string = SETTINGS_PATH): string {
  return settingsLayout(
    title,
    html``,
    html`<section>
      <p role="alert">${text}</p>
      <p><a href="${path}">${link}</a></p>
    </section>`,
  );
}

/**
 * A form that posts to a path below the settings.
 * @param csrfToken of the session
 */
export function settingsForm(csrfToken: string, path: string, content: Html): Html {
  return html`<form method="post" action="${SETTINGS_PATH}/${path}">
    <input type="hidden" name="csrf" value="${csrfToken}" />${content}
  </form>`;
}

/** To the minute, in UTC. */
export function shownTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
