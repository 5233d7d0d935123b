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
  /** Whose page the browser was at before; undefined, or of no company: the first one is proposed. */
  readonly companyId: string | undefined;
}

/** Content security policy of these pages. No `form-action`: approving ends with a redirect to the client's host. */
export const PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'`;

const STYLE = `body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; margin: 0; color: #1c2333;
  background: #f4f5f8 }
main { max-width: 36rem; margin: 8vh auto; padding: 1.5rem 2rem; background: #fff; border: 1px solid #e3e6ec; border-radius: .6rem }
h1 { margin: 0 0 .6rem; font-size: 1.35rem } ul { padding-left: 1.2rem } code { color: #5d6679; font-size: .85em }
fieldset { border: 1px solid #e3e6ec; border-radius: .5rem } legend { color: #5d6679 } label { display: block; padding: .15rem 0 }
select, button { font: inherit; padding: .4rem 1.2rem; border: 1px solid #c3c9d6; border-radius: .4rem; background: #fff }
button { cursor: pointer; margin-right: .5rem } button.main { background: #3b4cca; border-color: #3b4cca; color: #fff; font-weight: 600 }`;

/** What an application may do with a scope, for the person who decides. A scope that is not here is shown by its name. */
const SCOPE_WORDS: Readonly<Record<string, string>> = {
  'export-jobs:read': 'see exports and their state',
  'export-jobs:write': 'start exports, and report how they ended',
  'export-items:read': 'read the expenses of an export, with receipts',
  'accounts:read': 'see categories',
  'accounts:write': 'create and change categories',
  'vendors:read': 'see vendors',
  'vendors:write': 'create and change vendors',
  'users:read': 'see names and addresses of people',
  'companies:read': 'see the company',
  'tag-groups:read': 'see tag groups',
  'tag-groups:write': 'create and change tag groups',
  'tag-group:read': 'see tags',
  'tag-group:write': 'create and change tags',
  'tax-codes:read': 'see tax codes',
  'tax-codes:write': 'create and change tax codes',
};

/**
 * Asks a person which company to connect, and whether to. The form posts `company_id`, `access_level`, `person_id`
 * and `decision` to its own address.
 */
export function consentPage({ clientName, scopes, companies, persons, companyId }: ConsentView): string {
  const hasCompany = companies.length > 0;
  return authorizationPage(
    `Connect ${clientName}`,
    <>
      <p>
        <strong>{clientName}</strong> asks for access to the data of a company. It could:
      </p>
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>
            {SCOPE_WORDS[scope] ?? ''} <code>{scope}</code>
          </li>
        ))}
      </ul>
      <form method="post">
        {hasCompany ? (
          <Choices companies={companies} persons={persons} companyId={companyId} />
        ) : (
          <p>
            There is no company yet. Create one with <code>POST /control/companies</code> and load this page again.
          </p>
        )}
        <p>
          {hasCompany && (
            <button className="main" name="decision" value="approve">
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

function Choices({ companies, persons, companyId }: Pick<ConsentView, 'companies' | 'persons' | 'companyId'>) {
  const proposed = companies.find(({ id }) => id === companyId) ?? companies[0];
  return (
    <>
      <fieldset>
        <legend>Company</legend>
        {companies.map(({ id, name }) => (
          <label key={id}>
            <input type="radio" name="company_id" value={id} required defaultChecked={id === proposed?.id} /> {name}
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
      <main>
        <h1>{title}</h1>
        {content}
      </main>
    ),
  });
}
