import type { Company } from '../companies/company.repository.js';
import type { Employee } from '../employees/employee.repository.js';
import { html, type Html } from '../../../foundation/http/html.js';
import { layout } from './layout.js';
import { personName } from './page-session.js';

export interface SignInView {
  readonly companies: readonly Company[];
  /** Of any of them. */
  readonly people: readonly Employee[];
  readonly notice: string | undefined;
}

/** Asks who somebody is, and offers to make a company. */
export function signInPage({ companies, people, notice }: SignInView): string {
  const pick =
    companies.length === 0
      ? html`<p>There is no company yet.</p>`
      : html`<form method="post" action="/page/sign-in" class="fields">
          <label
            >Person
            <select name="visitor">
              ${companies.map((company) => peopleOf(company, people))}
            </select></label
          ><button class="main">Sign in</button>
        </form>`;
  return layout(
    { title: 'Sign in', visitor: undefined, notice },
    html`<section>
        <h2>Sign in <small>no password: this is a sandbox</small></h2>
        ${pick}
      </section>
      <section>
        <h2>New company <small>with a wallet, its contra account, and you as bookkeeper</small></h2>
        <form method="post" action="/page/companies" class="fields">
          <label>Company name <input name="name" required maxlength="100" /></label>
          <label>Your first name <input name="first_name" required maxlength="50" /></label>
          <label>Last name <input name="last_name" required maxlength="50" /></label>
          <label
            >Wallet currency <input name="currency" value="EUR" required pattern="[A-Z]{3}" size="4"
          /></label>
          <button>Create and sign in</button>
        </form>
      </section>`,
  );
}

function peopleOf({ id, name }: Company, people: readonly Employee[]): Html {
  const own = people.filter(({ companyId }) => companyId === id);
  const options =
    own.length === 0
      ? [html`<option value="${id}">Bookkeeper</option>`]
      : own.map(
          (person) =>
            html`<option value="${id}.${person.id}">
              ${personName(person)}${person.jobTitle === null ? '' : ` (${person.jobTitle})`}
            </option>`,
        );
  return html`<optgroup label="${name}">${options}</optgroup>`;
}
