import type { Company } from '../../companies/company.repository.js';
import type { Employee } from '../../employees/employee.repository.js';
import { layout } from './layout.js';
import { personName } from '../page-session.js';

export interface SignInView {
  readonly companies: readonly Company[];
  /** Of all companies. */
  readonly people: readonly Employee[];
  readonly notice: string | undefined;
}

/** Offers the people to sign in as, and a form that creates a company. */
export function signInPage({ companies, people, notice }: SignInView): string {
  return layout(
    { title: 'Sign in', visitor: undefined, notice },
    <>
      <section>
        <h2>
          Sign in <small>no password: this is a sandbox</small>
        </h2>
        {companies.length === 0 ? (
          <p>There is no company yet.</p>
        ) : (
          <form method="post" action="/page/sign-in" className="fields">
            <label>
              Person{' '}
              <select name="visitor">
                {companies.map((company) => (
                  <PeopleOfCompany key={company.id} company={company} people={people} />
                ))}
              </select>
            </label>
            <button className="main">Sign in</button>
          </form>
        )}
      </section>
      <NewCompany />
    </>,
  );
}

interface PeopleOfCompanyProps {
  readonly company: Company;
  readonly people: readonly Employee[];
}

function PeopleOfCompany({ company: { id, name }, people }: PeopleOfCompanyProps) {
  const employees = people.filter(({ companyId }) => companyId === id);
  return (
    <optgroup label={name}>
      {employees.length === 0 && <option value={id}>Bookkeeper</option>}
      {employees.map((person) => (
        <option key={person.id} value={`${id}.${person.id}`}>
          {personName(person)}
          {person.jobTitle === null ? '' : ` (${person.jobTitle})`}
        </option>
      ))}
    </optgroup>
  );
}

function NewCompany() {
  return (
    <section>
      <h2>
        New company <small>with a wallet, its contra account, and you as bookkeeper</small>
      </h2>
      <form method="post" action="/page/companies" className="fields">
        <label>
          Company name <input name="name" required maxLength={100} />
        </label>
        <label>
          Your first name <input name="first_name" required maxLength={50} />
        </label>
        <label>
          Last name <input name="last_name" required maxLength={50} />
        </label>
        <label>
          Wallet currency <input name="currency" defaultValue="EUR" required pattern="[A-Z]{3}" size={4} />
        </label>
        <button>Create and sign in</button>
      </form>
    </section>
  );
}
