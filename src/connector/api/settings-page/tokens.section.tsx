import { Table } from '../../../foundation/pages/table.js';
import type { ApiToken } from '../../access/api-token.repository.js';
import type { Member } from '../../access/member.reader.js';
import { MAX_LABEL_LENGTH, MAX_TOKEN_DAYS } from '../people/api-tokens.dto.js';
import { memberNameOf, RoleSelect } from './members.section.js';
import { SettingsForm, shownTime } from './settings-layout.js';

export interface TokensView {
  readonly tokens: readonly ApiToken[];
  readonly members: readonly Member[];
  /** The token created by this request, shown only now. */
  readonly created: { readonly label: string; readonly token: string } | undefined;
  readonly csrfToken: string;
}

/** API tokens for automation; for admins only. */
export function TokensSection({ tokens, members, created, csrfToken }: TokensView) {
  return (
    <section id="api-tokens">
      <h2>API tokens</h2>
      {created !== undefined && (
        <p className="made" role="status">
          The token “{created.label}” is shown only now: <code id="new-token">{created.token}</code>
        </p>
      )}
      {tokens.length === 0 ? (
        <p className="soft">There is none.</p>
      ) : (
        <Table columns={['For', 'Begins with', 'Role', 'Created by', 'Last used', 'Expires', '']}>
          {tokens.map((token) => (
            <tr key={token.id}>
              <td>{token.label}</td>
              <td>
                <code>{token.prefix ?? 'cat_'}…</code>
              </td>
              <td>{token.role}</td>
              <td>
                {creatorNameOf(token, members)}
                {parentTokenOf(token, tokens)}
              </td>
              <td>{token.lastUsedAt === null ? 'never' : shownTime(token.lastUsedAt)}</td>
              <td>{shownTime(token.expiresAt)}</td>
              <td>
                <SettingsForm csrfToken={csrfToken} path={`api-tokens/${token.id}/revocation`}>
                  <button>Revoke</button>
                </SettingsForm>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <NewTokenForm csrfToken={csrfToken} />
      <p className="soft">
        A token has at most its creator’s role and is revoked when the creator is removed. A token that was created with
        another token is revoked together with it.
      </p>
    </section>
  );
}

function creatorNameOf({ madeBy }: ApiToken, members: readonly Member[]): string {
  if (madeBy === null) {
    return 'the operator';
  }
  const creator = members.find(({ id }) => id === madeBy);
  return creator === undefined ? 'a member' : memberNameOf(creator);
}

function parentTokenOf({ madeWith }: ApiToken, tokens: readonly ApiToken[]): string {
  const parent = tokens.find(({ id }) => id === madeWith);
  return parent === undefined ? '' : `, with “${parent.label}”`;
}

function NewTokenForm({ csrfToken }: { readonly csrfToken: string }) {
  return (
    <SettingsForm csrfToken={csrfToken} path="api-tokens">
      <p>
        <label>
          For <input name="label" required maxLength={MAX_LABEL_LENGTH} />
        </label>{' '}
        <label>
          Role <RoleSelect selected="viewer" label="Role" />
        </label>{' '}
        <label>
          Days <input type="number" name="days" defaultValue="90" min="1" max={MAX_TOKEN_DAYS} required />
        </label>{' '}
        <button className="main">Create a token</button>
      </p>
    </SettingsForm>
  );
}
