import { renderPage } from '../../../../foundation/pages/page.js';
import type { ControlOperation } from './control-operations.js';

const STYLE = `body { font: 15px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1rem } pre { background: #f5f5f5; padding: .75rem; overflow: auto }`;

/** Documents the operations of the control. */
export function docsPage(operations: readonly ControlOperation[]): string {
  return renderPage({
    title: 'Simulator control',
    head: <style dangerouslySetInnerHTML={{ __html: STYLE }} />,
    body: (
      <>
        <h1>Simulator control</h1>
        <p>
          For tests and people. It takes no credential and responds to this machine only. The same list as JSON:{' '}
          <a href="/control/docs.json">/control/docs.json</a>.
        </p>
        {operations.map(({ method, path, does, body }) => (
          <section key={`${method} ${path}`}>
            <h2>
              <code>
                {method} {path}
              </code>
            </h2>
            <p>{does}</p>
            {body !== undefined && <pre>{JSON.stringify(body, null, 2)}</pre>}
          </section>
        ))}
      </>
    ),
  });
}
