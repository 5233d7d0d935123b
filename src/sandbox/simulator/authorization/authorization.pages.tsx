// The two pages of the authorization server: HTML without a script.
import type { ReactNode } from 'react';
import { renderPage } from '../../../foundation/pages/page.js';
import { PAGE_STYLE } from '../page/views/page-style.js';
import type { SimulatedPerson } from './persons.js';

interface NamedChoice {
  readonly id: string;
  readonly name: string;
}

export interface ConsentView {
  readonly clientName: string;
  readonly scopes: readonly string[];
  readonly companies: readonly NamedChoice[];
  readonly persons: readonly NamedChoice[];
  /** Whose page the browser was at before; of no company: the first one is proposed. */
  readonly companyId: string;
  /** Who was signed in at that page. */
  readonly visitor: SimulatedPerson | undefined;
}

/** Content security policy of these pages. No `form-action`: approving ends with a redirect to the client's host. */
export const PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'`;

/** As the simulator's page, one narrow column, and dark where the browser asks for it. */
const STYLE = `${PAGE_STYLE}
main { max-width: 38rem } header strong { color: #fff } h1 { margin: 0 0 .6rem; font-size: 1.35rem } fieldset { border: 0; padding: 0; margin: 1rem 0 0 }
legend { padding: 0; font-weight: 600 } label.check { display: flex; color: var(--ink); padding: .15rem 0 }
ul { padding-left: 1.2rem; margin: .3rem 0 .8rem } li code { white-space: nowrap } select { max-width: 100% } input { accent-color: var(--main) }
.row { margin: 1.25rem 0 0 } input[type=radio] { width: 1.05rem; height: 1.05rem; margin: 0 }
@media (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --ink: #e6e9f0; --soft: #a3acbf; --line: #363e52; --ground: #141824 }
  header { background: #0d111b } section, input, select, button { background: #1e2434 } button { border-color: #4a546c }
}`;

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
export function consentPage(view: ConsentView): string {
  const { clientName, scopes, companies, visitor } = view;
  const hasCompany = companies.length > 0;
  const own = companies.find(({ id }) => id === view.companyId);
  return authorizationPage(
    `Connect ${clientName}`,
    <>
      {own !== undefined && (
        <p className="soft">
          You come from the page of {own.name}
          {visitor !== undefined && `, where you are ${visitor.name}`}.
        </p>
      )}
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
          <Choices {...view} />
        ) : (
          <p>
            There is no company yet. Create one with <code>POST /control/companies</code> and load this page again.
          </p>
        )}
        <p className="row">
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

function Choices({ companies, persons, companyId, visitor }: ConsentView) {
  const proposed = companies.find(({ id }) => id === companyId) ?? companies[0];
  return (
    <>
      <fieldset>
        <legend>Company</legend>
        {companies.map(({ id, name }) => (
          <label className="check" key={id}>
            <input type="radio" name="company_id" value={id} required defaultChecked={id === proposed?.id} /> {name}
          </label>
        ))}
      </fieldset>
      <p>
        <label className="check">
          <input type="checkbox" name="access_level" value="organisation" /> for all companies of its organization
        </label>
      </p>
      <label>
        You are
        <select name="person_id" defaultValue={visitor?.id}>
          {persons.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
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
        <header>
          <div>
            <strong>Platform simulator</strong>
          </div>
        </header>
        <main>
          <section>
            <h1>{title}</h1>
            {content}
          </section>
        </main>
      </>
    ),
  });
}
