// The two pages of the authorization server: plain HTML, no script.

export interface ConsentView {
  readonly clientName: string;
  readonly scopes: readonly string[];
  readonly companies: readonly { readonly id: string; readonly name: string }[];
  readonly persons: readonly { readonly id: string; readonly name: string }[];
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
export function consentPage(view: ConsentView): string {
  const choices = view.companies.map(
    ({ id, name }, index) =>
      `<label><input type="radio" name="company_id" value="${escapeHtml(id)}" required${index === 0 ? ' checked' : ''}> ` +
      `${escapeHtml(name)}</label>`,
  );
  const persons = view.persons.map(
    ({ id, name }) => `<option value="${escapeHtml(id)}">${escapeHtml(name)}</option>`,
  );
  const scopes = view.scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`);
  const form =
    choices.length === 0
      ? '<p>There is no company yet. Create one with <code>POST /control/companies</code> and load this page again.</p>'
      : `<fieldset><legend>Company</legend>${choices.join('')}</fieldset>
<p><label><input type="checkbox" name="access_level" value="organization"> for all companies of its organization</label></p>
<p><label>You are <select name="person_id">${persons.join('')}</select></label></p>`;
  const approve = choices.length === 0 ? '' : '<button name="decision" value="approve">Approve</button>';
  return page(
    `Connect ${view.clientName}`,
    `<p><strong>${escapeHtml(view.clientName)}</strong> asks for access to the data of a company:</p>
<ul>${scopes.join('')}</ul>
<form method="post">${form}
<p>${approve}<button name="decision" value="deny" formnovalidate>Deny</button></p></form>`,
  );
}

/** Tells a person that the authorization request cannot be answered to the client. */
export function errorPage(error: string, description: string): string {
  return page(
    'This request cannot go on',
    `<p>${escapeHtml(description)}</p><p><code>${escapeHtml(error)}</code></p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><h1>${escapeHtml(title)}</h1>
${body}
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
