import { html, type Html } from '../../../foundation/http/html.js';
import type { ApiToken } from '../../access/api-tokens.service.js';
import type { Member } from '../../access/members.service.js';
import { MAX_LABEL_LENGTH, MAX_TOKEN_DAYS } from '../people/api-tokens.dto.js';
import { memberNameOf, roleSelect } from './members.section.js';
import { settingsForm, shownTime } from './settings-layout.js';

export interface TokensView {
  readonly tokens: readonly ApiToken[];
  readonly members: readonly Member[];
  /** The one that was made just now, shown this once. */
  readonly created: { readonly label: string; readonly token: string } | undefined;
  readonly csrfToken: string;
}

/** Keys for automation; for admins only. */
export function tokensSection({ tokens, members, created, csrfToken }: TokensView): Html {
  return html`<section id="api-tokens">
    <h2>API tokens</h2>
    ${
      created === undefined
        ? null
        : html`<p class="made" role="status">
            The token “${created.label}” is shown only now: <code id="new-token">${created.token}</code>
          </p>`
    }
    ${tokens.length === 0 ? html`<p class="soft">There is none.</p>` : table(tokens, members, csrfToken)}
    ${settingsForm(csrfToken, 'api-tokens', newTokenForm())}
    <p class="soft">
      A token never may more than whoever made it, and goes when that person is removed. One that was made
      with another token is revoked with it.
    </p>
  </section>`;
}

function table(tokens: readonly ApiToken[], members: readonly Member[], csrfToken: string): Html {
  return html`<table>
    <tr>
      <th>For</th>
      <th>Begins with</th>
      <th>Role</th>
      <th>Made by</th>
      <th>Last used</th>
      <th>Ends</th>
      <th></th>
    </tr>
    ${tokens.map(
      (token) =>
        html`<tr>
          <td>${token.label}</td>
          <td><code>${token.prefix ?? 'cat_'}…</code></td>
          <td>${token.role}</td>
          <td>${creatorNameOf(token, members)}${parentTokenOf(token, tokens)}</td>
          <td>${token.lastUsedAt === null ? 'never' : shownTime(token.lastUsedAt)}</td>
          <td>${shownTime(token.expiresAt)}</td>
          <td>
            ${settingsForm(csrfToken, `api-tokens/${token.id}/revocation`, html`<button>Revoke</button>`)}
          </td>
        </tr>`,
    )}
  </table>`;
}

function creatorNameOf({ madeBy }: ApiToken, members: readonly Member[]): string {
  if (madeBy === null) {
    return 'the operator';
  }
  const maker = members.find(({ id }) => id === madeBy);
  return maker === undefined ? 'a member' : memberNameOf(maker);
}

function parentTokenOf({ madeWith }: ApiToken, tokens: readonly ApiToken[]): string {
  const parent = tokens.find(({ id }) => id === madeWith);
  return parent === undefined ? '' : `, with “${parent.label}”`;
}

function newTokenForm(): Html {
  return html`<p>
    <label>For <input name="label" required maxlength="${MAX_LABEL_LENGTH}" /></label>
    <label>Role ${roleSelect('viewer', 'Role')}</label>
    <label
      >Days <input type="number" name="days" value="90" min="1" max="${MAX_TOKEN_DAYS}" required
    /></label>
    <button class="main">Make a token</button>
  </p>`;
}
