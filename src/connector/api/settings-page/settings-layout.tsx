import type { ReactNode } from 'react';
import { renderPage } from '../../../foundation/pages/page.js';

/** Path of the page; its forms post to paths below it. */
export const SETTINGS_PATH = '/settings';

/** A whole page, which works without scripts. */
export function settingsLayout(title: string, header: ReactNode, content: ReactNode): string {
  return renderPage({
    title,
    head: <link rel="stylesheet" href={`${SETTINGS_PATH}/style.css`} />,
    body: (
      <>
        <header>
          <h1>{title}</h1>
          {header}
        </header>
        <main>{content}</main>
      </>
    ),
  });
}

/**
 * A page with one message and one link.
 * @param path of the link
 */
export function messagePage(title: string, text: string, link: string, path: string = SETTINGS_PATH): string {
  return settingsLayout(
    title,
    null,
    <section>
      <p role="alert">{text}</p>
      <p>
        <a href={path}>{link}</a>
      </p>
    </section>,
  );
}

export interface SettingsFormProps {
  /** Of the session. */
  readonly csrfToken: string;
  /** Below the settings. */
  readonly path: string;
  readonly children: ReactNode;
}

/** A form of the page, with the token that proves it came from there. */
export function SettingsForm({ csrfToken, path, children }: SettingsFormProps) {
  return (
    <form method="post" action={`${SETTINGS_PATH}/${path}`}>
      <input type="hidden" name="csrf" value={csrfToken} />
      {children}
    </form>
  );
}

/** Says that a list is cut and which request returns all of it. */
export function MoreNote({ request }: { readonly request: string }) {
  return (
    <p className="soft">
      There are more: <code>{request}</code> lists them all.
    </p>
  );
}

/** To the minute, in UTC. */
export function shownTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
