// Short pages for a person's browser. All texts are escaped: part of them comes from the platform.

export function page(title: string, text: string, installationId?: string): string {
  const note =
    installationId === undefined ? '' : `<p>Installation <code>${escape(installationId)}</code></p>`;
  return document(title, `<p>${escape(text)}</p>${note}`);
}

/** Most companies on one page; a person with more searches. */
const MOST_CHOICES = 100;

export interface CompanyChoice {
  /** Of the attempt, which both forms bring back. */
  readonly state: string;
  readonly companies: readonly {
    readonly id: string;
    readonly name: string;
    readonly registrationNumber?: string | null | undefined;
  }[];
  /** What was searched for; empty: nothing. */
  readonly search: string;
}

/** Lets the person search and pick a company of the organisation that gave access. */
export function choicePage({ state, companies, search }: CompanyChoice): string {
  const hidden = `<input type="hidden" name="state" value="${escape(state)}">`;
  const searching = `<form action="/oauth/companies" method="get" role="search">${hidden}<p><label>Name or registration number <input type="search" name="search" value="${escape(search)}" maxlength="100"></label> <button>Search</button></p></form>`;
  const picking = `<form action="/oauth/company" method="get">${hidden}${companies.slice(0, MOST_CHOICES).map(choice).join('')}<button>Connect</button></form>`;
  return document(
    'Which company?',
    `<p>The platform gives access to several companies. Pick the one to connect; the others can be connected later.</p>${searching}<p>${escape(countOf(companies.length, search))}</p>${companies.length === 0 ? '' : picking}`,
  );
}

function choice({ id, name, registrationNumber }: CompanyChoice['companies'][number]): string {
  const number = registrationNumber ?? '';
  const shown = number === '' ? name : `${name} (${number})`;
  return `<p><label><input type="radio" name="company_id" value="${escape(id)}" required> ${escape(shown)}</label></p>`;
}

function countOf(found: number, search: string): string {
  if (found === 0) {
    const none = 'Access was given to no company';
    return search === '' ? `${none}.` : `${none} whose name or registration number holds "${search}".`;
  }
  const companies = `${found.toString()} ${found === 1 ? 'company' : 'companies'}`;
  return found > MOST_CHOICES
    ? `${companies}, of which the first ${MOST_CHOICES.toString()} are shown: search for the one you mean.`
    : `${companies}.`;
}

function document(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title>
<body style="font-family: system-ui; max-width: 40rem; margin: 4rem auto"><h1>${escape(title)}</h1>${body}</body></html>`;
}

function escape(text: string): string {
  return text.slice(0, 500).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0).toString()};`);
}
