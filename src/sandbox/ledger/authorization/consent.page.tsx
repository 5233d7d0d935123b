// Where a person signs in to the ledger and lets a client open a company: HTML without a script.
import { renderPage } from '../../../foundation/pages/page.js';

/** Content security policy of the page. No `form-action`: consent ends with a redirect to the client's host. */
export const CONSENT_POLICY = `default-src 'none'; frame-ancestors 'none'; base-uri 'none'`;

/** The form posts `key` and `decision` to its own address. */
export function consentPage(clientId: string, problem?: string): string {
  return renderPage({
    title: 'Sign in to the ledger',
    body: (
      <main>
        <h1>Sign in to the ledger</h1>
        <p>
          <strong>{clientId}</strong> asks to read and post in the company whose key you enter. The key itself stays
          here; deleting it ends the access.
        </p>
        {problem === undefined ? null : <p role="alert">{problem}</p>}
        <form method="post">
          <p>
            <label>
              Key of the company <input type="password" name="key" autoComplete="off" required />
            </label>
          </p>
          <button name="decision" value="approve">
            Allow
          </button>{' '}
          <button name="decision" value="deny" formNoValidate>
            Refuse
          </button>
        </form>
      </main>
    ),
  });
}
