import type { Company } from '../companies/company.repository.js';
import { html } from './html.js';
import { layout } from './layout.js';

/** Asks whose bookkeeper somebody is, and offers to make a company. */
export function signInPage(companies: readonly Company[], notice: string | undefined): string {
  const options = companies.map(({ id, name }) => html`<option value="${id}">${name}</option>`);
  const pick =
    companies.length === 0
      ? html`<p>There is no company yet.</p>`
      : html`<form method="post" action="/page/sign-in">
          <label
            >Company
            <select name="company_id">
              ${options}
            </select></label
          ><button class="main">Sign in</button>
        </form>`;
  return layout(
    { title: 'Sign in', company: undefined, notice },
    html`<section>
        <h2>Sign in</h2>
        ${pick}
      </section>
      <section>
        <h2>New company</h2>
        <form method="post" action="/page/companies">
          <label>Name <input name="name" required maxlength="100" /></label>
          <label
            >Wallet currency <input name="currency" value="EUR" required pattern="[A-Z]{3}" size="4"
          /></label>
          <button>Create and sign in</button>
        </form>
      </section>`,
  );
}
