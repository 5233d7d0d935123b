import type { ReactNode } from 'react';
import { renderPage } from '../../../../foundation/pages/page.js';
import { PAGE_STYLE } from './page-style.js';

export interface Frame {
  readonly title: string;
  /** The signed-in person as the page greets them; unset when no one is signed in. */
  readonly visitor: string | undefined;
  /** Why the form that was just sent was refused. */
  readonly notice: string | undefined;
  /** Path of the page; unset for the sign-in. */
  readonly path?: string;
}

const PAGES = [
  ['/', 'Exports'],
  ['/page/deliveries', 'Webhooks'],
  ['/page/failures', 'Failures and clock'],
] as const;

/** A whole page: head, navigation, content. */
export function layout({ title, visitor, notice, path }: Frame, content: ReactNode): string {
  return renderPage({
    title,
    head: (
      <>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML={{ __html: PAGE_STYLE }} />
        <script src="/page/script.js" defer />
      </>
    ),
    body: (
      <>
        <header>
          <div>
            <strong>Platform simulator</strong>
            {visitor !== undefined && <Navigation visitor={visitor} path={path} />}
          </div>
        </header>
        <main>
          {notice !== undefined && (
            <p className="notice" role="alert">
              {notice}
            </p>
          )}
          {content}
        </main>
      </>
    ),
  });
}

function Navigation({ visitor, path }: { readonly visitor: string; readonly path: string | undefined }) {
  return (
    <>
      <nav className="row">
        {PAGES.map(([address, label]) => (
          <a key={address} href={address} aria-current={address === path ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <form method="post" action="/page/sign-out">
        <span>{visitor}</span>
        <button>Sign out</button>
      </form>
    </>
  );
}

export interface ButtonFormProps {
  readonly action: string;
  readonly label: string;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A form that consists of one button. */
export function ButtonForm({ action, label, fields = {} }: ButtonFormProps) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button>{label}</button>
    </form>
  );
}
