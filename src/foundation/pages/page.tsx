// A server-rendered page. React escapes whatever is put into it, so no text of a person becomes markup.
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

export interface PageParts {
  readonly title: string;
  /** What the page needs besides title, character set and width: its style, its scripts. */
  readonly head?: ReactNode;
  readonly body: ReactNode;
  /** BCP 47; English where it is undefined. */
  readonly language?: string | undefined;
}

/** @returns a whole HTML document, fit for narrow screens */
export function renderPage({ title, head, body, language = 'en' }: PageParts): string {
  const document = (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {head}
      </head>
      <body>{body}</body>
    </html>
  );
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}
