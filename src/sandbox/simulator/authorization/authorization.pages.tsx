// The two pages of the authorization server: HTML without a script.
import type { ReactNode } from 'react';
import { renderPage } from '../../../foundation/pages/page.js';

interface NamedChoice {
  readonly id: string;
  readonly name: string;
}

export interface ConsentView {
  readonly clientName: string;
  readonly scopes: readonly string[];
  readonly companies: readonly NamedChoice[];
  readonly persons: readonly NamedChoice[];
}

/** Content security policy of these pages. No `form-action`: approving ends with a redirect to the client's host. */
export const PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'`;

const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 10vh auto; padding: 0 1rem }
fieldset { border: 1px solid #ccc; border-radius: .5rem } label { display: block }
button { font: inherit; padding: .5rem 1.25rem; margin-right: .5rem }`;

/**
 * Asks a person which company to connect, and whether to. The form posts `company_id`, `access_level`, `person_id`
 * and `decision` to its own address.
 */
export function consentPage({ clientName, scopes, companies, persons }: ConsentView): string {
  const hasCompany = companies.length > 0;
  return authorizationPage(
    `Connect ${clientName}`,
    <>
      <p>
        <strong>{clientName}</strong> requests access to the data of a company:
      </p>
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>
            <code>{scope}</code>
          </li>
        ))}
      </ul>
      <form method="post">
        {hasCompany ? (
          <Choices companies={companies} persons={persons} />
        ) : (
          <p>
            There is no company yet. Create one with <code>POST /control/companies</code> and load this page again.
          </p>
        )}
        <p>
          {hasCompany && (
            <button name="decision" value="approve">
              Approve
            </button>
          )}
          <button name="decision" value="deny" formNoValidate>
            Deny
          </button>
        </p>
      </form>
    </>,
  );
}

function Choices({ companies, persons }: Pick<ConsentView, 'companies' | 'persons'>) {
  return (
    <>
      <fieldset>
        <legend>Company</legend>
        {companies.map(({ id, name }, index) => (
          <label key={id}>
            <input type="radio" name="company_id" value={id} required defaultChecked={index === 0} /> {name}
          </label>
        ))}
      </fieldset>
      <p>
        <label>
          <input type="checkbox" name="access_level" value="organisation" /> for all companies of its organization
        </label>
      </p>
      <p>
        <label>
          You are{' '}
          <select name="person_id">
            {persons.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </p>
    </>
  );
}

/** Shows a person an error of the authorization request that cannot be sent to the client. */
export function errorPage(error: string, description: string): string {
  return authorizationPage(
    'This request cannot continue',
    <>
      <p>{description}</p>
      <p>
        <code>{error}</code>
      </p>
    </>,
  );
}

function authorizationPage(title: string, content: ReactNode): string {
  return renderPage({
    title,
    head: (
      <>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </>
    ),
    body: (
      <>
        <h1>{title}</h1>
        {content}
      </>
    ),
  });
}
