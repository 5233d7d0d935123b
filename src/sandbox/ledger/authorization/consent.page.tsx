// Where a person signs in to the ledger and lets a client open a company: HTML without a script.
import { plainPage } from '../../../foundation/pages/plain-page.js';
import { NEW_COMPANY_PATH } from '../new-company/new-company.path.js';

/** Content security policy of the page. No `form-action`: consent ends with a redirect to the client's host. */
export const CONSENT_POLICY = `default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'`;

/** The form posts `key` and `decision` to its own address. */
export function consentPage(clientId: string, problem?: string): string {
  return plainPage({
    title: 'Sign in to the ledger',
    content: (
      <>
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
        <p className="soft">
          No company in the ledger yet?{' '}
          <a href={NEW_COMPANY_PATH} target="_blank" rel="noreferrer">
            Create one
          </a>{' '}
          in another tab: its page shows the key.
        </p>
      </>
    ),
  });
}
