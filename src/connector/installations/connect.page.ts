// Short pages for a person's browser. All texts are escaped: part of them comes from the platform.

export function page(title: string, text: string, installationId?: string): string {
  const note =
    installationId === undefined ? '' : `<p>Installation <code>${escape(installationId)}</code></p>`;
  return document(title, `<p>${escape(text)}</p>${note}`);
}

/**
 * Lets the person pick a company of the organisation that gave access.
 * @param action path the form goes to, with `state` and `company_id`
 */
export function choicePage(
  action: string,
  state: string,
  companies: readonly { readonly id: string; readonly name: string }[],
): string {
  const options = companies
    .map(
      ({ id, name }) =>
        `<p><label><input type="radio" name="company_id" value="${escape(id)}" required> ${escape(name)}</label></p>`,
    )
    .join('');
  const form = `<form action="${escape(action)}" method="get"><input type="hidden" name="state" value="${escape(state)}">${options}<button>Connect</button></form>`;
  return document(
    'Which company?',
    `<p>The platform gives access to several companies. Pick the one to connect; the others can be connected later.</p>${form}`,
  );
}

function document(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title>
<body style="font-family: system-ui; max-width: 40rem; margin: 4rem auto"><h1>${escape(title)}</h1>${body}</body></html>`;
}

function escape(text: string): string {
  return text.slice(0, 500).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0).toString()};`);
}
