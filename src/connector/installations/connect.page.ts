/** A short page for a person's browser. Both texts are escaped: part of them comes from the platform. */
export function page(title: string, text: string, installationId?: string): string {
  const note =
    installationId === undefined ? '' : `<p>Installation <code>${escape(installationId)}</code></p>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title>
<body style="font-family: system-ui; max-width: 40rem; margin: 4rem auto"><h1>${escape(title)}</h1><p>${escape(text)}</p>${note}</body></html>`;
}

function escape(text: string): string {
  return text.slice(0, 500).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0).toString()};`);
}
