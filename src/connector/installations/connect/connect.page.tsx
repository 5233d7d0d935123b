// Short pages for a person's browser.
import { plainPage, type WayOn } from '../../../foundation/pages/plain-page.js';

/** Longest text from outside the connector that is shown. */
const MAX_LENGTH = 500;
/** Most companies on one page; a person with more searches. */
const MAX_OFFERED_COMPANIES = 100;

export function page(title: string, text: string, next: WayOn, installationId?: string): string {
  return plainPage({
    title,
    content: (
      <>
        <p>{text.slice(0, MAX_LENGTH)}</p>
        {installationId !== undefined && (
          <p className="soft">
            Installation <code>{installationId}</code>
          </p>
        )}
      </>
    ),
    next,
  });
}

interface CompanyOption {
  readonly id: string;
  readonly name: string;
  readonly registrationNumber?: string | null | undefined;
}

export interface CompanyChoice {
  /** Identifies the attempt; both forms send it back. */
  readonly state: string;
  readonly companies: readonly CompanyOption[];
  /** The searched text; empty when nothing was searched for. */
  readonly search: string;
}

/** Lets the person search and pick a company of the organization that gave access. */
export function choicePage({ state, companies, search }: CompanyChoice): string {
  return plainPage({
    title: 'Which company?',
    content: (
      <>
        <p>
          The platform gives access to several companies. Pick the one to connect; the others can be connected later.
        </p>
        <form action="/oauth/companies" method="get" role="search">
          <input type="hidden" name="state" value={state} />
          <p>
            <label>
              Name or registration number <input type="search" name="search" defaultValue={search} maxLength={100} />
            </label>{' '}
            <button>Search</button>
          </p>
        </form>
        <p>{countOf(companies.length, search)}</p>
        {companies.length > 0 && (
          <CompanyForm action="/oauth/company" verb="Connect" state={state} companies={companies} />
        )}
      </>
    ),
  });
}

/** Lets the person pick which of several connected companies to sign in to. */
export function signInChoicePage(state: string, companies: readonly CompanyOption[]): string {
  return plainPage({
    title: 'Which company?',
    content: (
      <>
        <p>Several companies of the organization are connected.</p>
        <CompanyForm action="/oauth/sign-in" verb="Sign in" state={state} companies={companies} />
      </>
    ),
  });
}

interface CompanyFormProps extends Omit<CompanyChoice, 'search'> {
  readonly action: string;
  readonly verb: string;
}

function CompanyForm({ action, verb, state, companies }: CompanyFormProps) {
  return (
    <form action={action} method="get">
      <input type="hidden" name="state" value={state} />
      {companies.slice(0, MAX_OFFERED_COMPANIES).map(({ id, name, registrationNumber }) => (
        <p key={id}>
          <label>
            <input type="radio" name="company_id" value={id} required /> {labelOf(name, registrationNumber)}
          </label>
        </p>
      ))}
      <button>{verb}</button>
    </form>
  );
}

function labelOf(name: string, registrationNumber: string | null = ''): string {
  const label = (registrationNumber ?? '') === '' ? name : `${name} (${registrationNumber ?? ''})`;
  return label.slice(0, MAX_LENGTH);
}

function countOf(found: number, search: string): string {
  if (found === 0) {
    const none = 'Access was given to no company';
    return search === '' ? `${none}.` : `${none} whose name or registration number contains "${search}".`;
  }
  const companies = `${found.toString()} ${found === 1 ? 'company' : 'companies'}`;
  return found > MAX_OFFERED_COMPANIES
    ? `${companies}, of which the first ${MAX_OFFERED_COMPANIES.toString()} are shown: search for the one you mean.`
    : `${companies}.`;
}
