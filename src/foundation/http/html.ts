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
