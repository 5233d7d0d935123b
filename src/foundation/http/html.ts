/** Text that is HTML already; everything else is escaped when it goes into `html`. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | undefined | readonly Html[];

/** Builds HTML. What is put in is escaped unless it is `Html` itself; null and undefined put nothing in. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    texts.map((text, index) => text + (index < parts.length ? written(parts[index]) : '')).join(''),
  );
}

/**
 * A whole page in English, fit for narrow screens.
 * @param head what it needs besides title, character set and width: its style, its scripts
 */
export function htmlDocument(title: string, head: Html, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}

function written(part: Part): string {
  if (part === null || part === undefined) {
    return '';
  }
  if (part instanceof Html) {
    return part.text;
  }
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : escaped(part.toString());
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
