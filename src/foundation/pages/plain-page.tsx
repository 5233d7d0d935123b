import type { ReactNode } from 'react';
import { renderPage } from './page.js';
import { ICON_ADDRESS, STYLE_ADDRESS } from './plain-page.style.js';

/** Where a person goes from a page. */
export interface WayOn {
  readonly path: string;
  readonly words: string;
}

export interface PlainPageParts {
  readonly title: string;
  readonly content: ReactNode;
  /** Undefined for a page whose content has the way on. */
  readonly next?: WayOn | undefined;
  /** BCP 47, of title and content; English where it is undefined. */
  readonly language?: string;
}

/** A page that needs no script, in the look of the page for people. */
export function plainPage({ title, content, next, language }: PlainPageParts): string {
  return renderPage({
    title,
    language,
    head: (
      <>
        <link rel="stylesheet" href={STYLE_ADDRESS} />
        <link rel="icon" type="image/svg+xml" href={ICON_ADDRESS} />
      </>
    ),
    body: (
      <main>
        <section>
          <h1>{title}</h1>
          {content}
          {next !== undefined && (
            <p>
              <a className="next" href={next.path}>
                {next.words}
              </a>
            </p>
          )}
        </section>
      </main>
    ),
  });
}
