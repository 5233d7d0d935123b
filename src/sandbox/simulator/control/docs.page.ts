import type { ControlOperation } from './control-operations.js';

/** The control's operations as a plain HTML page. The texts are our own; only `<` needs escaping. */
export function docsPage(operations: readonly ControlOperation[]): string {
  const sections = operations.map(
    ({ method, path, does, body }) => `<section><h2><code>${method} ${escapeHtml(path)}</code></h2>
<p>${escapeHtml(does)}</p>${body === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(body, null, 2))}</pre>`}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Simulator control</title>
<style>body { font: 15px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1rem } pre { background: #f5f5f5; padding: .75rem; overflow: auto }</style></head>
<body><h1>Simulator control</h1>
<p>For tests and people. Needs no credential and answers this machine only. The same list as JSON:
<a href="/control/docs.json">/control/docs.json</a>.</p>
${sections.join('\n')}
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
