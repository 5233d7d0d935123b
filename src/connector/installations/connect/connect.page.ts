// Short pages for a person's browser.
import { html, htmlDocument, type Html } from '../../../foundation/http/html.js';

/** Longest text of somebody else's that is shown. */
const MAX_LENGTH = 500;
/** Most companies on one page; a person with more searches. */
const MAX_OFFERED_COMPANIES = 100;

export function page(title: string, text: string, installationId?: string): string {
  const note =
    installationId === undefined
      ? html``
      : html`<p>Installation <code>${installationId}</code> · <a href="/settings">settings</a></p>`;
  return document(
    title,
    html`<p>${text.slice(0, MAX_LENGTH)}</p>
      ${note}`,
  );
}

interface CompanyOption {
  readonly id: string;
  readonly name: string;
  readonly registrationNumber?: string | null | undefined;
}

export interface CompanyChoice {
  /** Of the attempt, which both forms bring back. */
  readonly state: string;
  readonly companies: readonly CompanyOption[];
  /** What was searched for; empty: nothing. */
  readonly search: string;
}

/** Lets the person search and pick a company of the organization that gave access. */
export function choicePage({ state, companies, search }: CompanyChoice): string {
  const searching = html`<form action="/oauth/companies" method="get" role="search">
    <input type="hidden" name="state" value="${state}" />
    <p>
      <label
        >Name or registration number <input type="search" name="search" value="${search}" maxlength="100"
      /></label>
      <button>Search</button>
    </p>
  </form>`;
  return document(
    'Which company?',
    html`<p>
        The platform gives access to several companies. Pick the one to connect; the others can be connected
        later.
      </p>
      ${searching}
      <p>${countOf(companies.length, search)}</p>
      ${companies.length === 0 ? html`` : companyForms('/oauth/company', 'Connect', state, companies)}`,
  );
}

/** Lets the person pick which of several connected companies to sign in to. */
export function signInChoicePage(state: string, companies: readonly CompanyOption[]): string {
  return document(
    'Which company?',
    html`<p>Several companies of the organization are connected.</p>
      ${companyForms('/oauth/sign-in', 'Sign in', state, companies)}`,
  );
}

function companyForms(
  action: string,
  verb: string,
  state: string,
  companies: readonly CompanyOption[],
): Html {
  return html`<form action="${action}" method="get">
    <input
      type="hidden"
      name="state"
      value="${state}"
    />${companies.slice(0, MAX_OFFERED_COMPANIES).map(companyForm)}
    <button>${verb}</button>
  </form>`;
}

function companyForm({ id, name, registrationNumber }: CompanyOption): Html {
  const number = registrationNumber ?? '';
  const shown = number === '' ? name : `${name} (${number})`;
  return html`<p>
    <label
      ><input type="radio" name="company_id" value="${id}" required /> ${shown.slice(0, MAX_LENGTH)}</label
    >
  </p>`;
}

function countOf(found: number, search: string): string {
  if (found === 0) {
    const none = 'Access was given to no company';
    return search === '' ? `${none}.` : `${none} whose name or registration number holds "${search}".`;
  }
  const companies = `${found.toString()} ${found === 1 ? 'company' : 'companies'}`;
  return found > MAX_OFFERED_COMPANIES
    ? `${companies}, of which the first ${MAX_OFFERED_COMPANIES.toString()} are shown: search for the one you mean.`
    : `${companies}.`;
}

/** In the looks of the settings; the policy of the program allows no style within a page. */
function document(title: string, body: Html): string {
  return htmlDocument(
    title,
    html`<link rel="stylesheet" href="/settings/style.css" />`,
    html`<header><h1>${title}</h1></header>
      <main><section>${body}</section></main>`,
  );
}
