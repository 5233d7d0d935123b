// Short pages for a person's browser, in the language that it prefers.
import { plainPage } from '../../../foundation/pages/plain-page.js';
import { message, type Message } from '../../../kernel/message.js';
import { localizeWayOn, type NextPage } from '../../messages/localized-way-on.js';
import { localize } from '../../messages/texts.js';

/** Longest text from outside the connector that is shown. */
const MAX_LENGTH = 500;
/** Most companies on one page; a person with more searches. */
const MAX_OFFERED_COMPANIES = 100;

interface Result {
  readonly title: Message;
  readonly text: readonly Message[];
  readonly next: NextPage;
  readonly installationId?: string;
}

/** @param language one of `LANGUAGES` */
export function resultPage(language: string, { title, text, next, installationId }: Result): string {
  const say = sayIn(language);
  return plainPage({
    language,
    title: say(title),
    content: (
      <>
        <p>{text.map(say).join(' ').slice(0, MAX_LENGTH)}</p>
        {installationId !== undefined && (
          <p className="soft">
            {say(message('connecting.installation'))} <code>{installationId}</code>
          </p>
        )}
      </>
    ),
    next: localizeWayOn(language, next),
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

/**
 * Lets the person search and pick a company of the organization that gave access.
 * @param language one of `LANGUAGES`
 */
export function choicePage(language: string, { state, companies, search }: CompanyChoice): string {
  const say = sayIn(language);
  return plainPage({
    language,
    title: say(message('connecting.choose-company')),
    content: (
      <>
        <p>{say(message('connecting.choose-company.text'))}</p>
        <form action="/oauth/companies" method="get" role="search">
          <input type="hidden" name="state" value={state} />
          <p>
            <label>
              {say(message('connecting.search.field'))}{' '}
              <input type="search" name="search" defaultValue={search} maxLength={100} />
            </label>{' '}
            <button>{say(message('connecting.search'))}</button>
          </p>
        </form>
        <p>{say(countOf(companies.length, search))}</p>
        {companies.length > 0 && (
          <CompanyForm
            action="/oauth/company"
            verb={say(message('connecting.connect'))}
            state={state}
            companies={companies}
          />
        )}
      </>
    ),
  });
}

/**
 * Lets the person pick which of several connected companies to sign in to.
 * @param language one of `LANGUAGES`
 */
export function signInChoicePage(language: string, state: string, companies: readonly CompanyOption[]): string {
  const say = sayIn(language);
  return plainPage({
    language,
    title: say(message('connecting.choose-sign-in')),
    content: (
      <>
        <p>{say(message('connecting.choose-sign-in.text'))}</p>
        <CompanyForm
          action="/oauth/sign-in"
          verb={say(message('connecting.sign-in'))}
          state={state}
          companies={companies}
        />
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

function countOf(found: number, search: string): Message {
  if (found === 0) {
    return search === '' ? message('connecting.companies.none') : message('connecting.companies.not-found', { search });
  }
  return found > MAX_OFFERED_COMPANIES
    ? message('connecting.companies.many', { found, shown: MAX_OFFERED_COMPANIES })
    : message('connecting.companies', { found });
}

const sayIn = (language: string) => (said: Message) => localize(language, said).text;
