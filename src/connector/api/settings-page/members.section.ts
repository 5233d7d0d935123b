import { html, type Html } from '../../../foundation/http/html.js';
import { ROLES, type Role } from '../../access/domain/role.js';
import type { Member } from '../../access/members.service.js';
import { settingsForm, shownTime } from './settings-layout.js';

export interface MembersView {
  readonly members: readonly Member[];
  /** There are more than are shown. */
  readonly hasMore: boolean;
  readonly ownId: string | undefined;
  readonly isAdmin: boolean;
  readonly csrfToken: string;
}

/** Who has signed in; admins give roles here. */
export function membersSection({ members, hasMore, ownId, isAdmin, csrfToken }: MembersView): Html {
  const rows = members.map(
    (member) =>
      html`<tr>
        <td>${memberNameOf(member)}${member.id === ownId ? ' (you)' : ''}</td>
        <td>${isAdmin ? roleForm(member, csrfToken) : member.role}</td>
        <td>${shownTime(member.signedInAt)}</td>
        <td>
          ${
            isAdmin
              ? settingsForm(csrfToken, `members/${member.id}/removal`, html`<button>Remove</button>`)
              : null
          }
        </td>
      </tr>`,
  );
  return html`<section>
    <h2>People</h2>
    <table>
      <tr>
        <th>Name</th>
        <th>Role</th>
        <th>Last sign-in</th>
        <th></th>
      </tr>
      ${rows}
    </table>
    ${hasMore ? html`<p class="soft">There are more: <code>GET /api/v1/members</code> lists them all.</p>` : null}
    <p class="soft">
      Everybody whom the platform gives access to the company can sign in, and begins as a viewer. A viewer
      reads; a bookkeeper mends rules and exports again; an admin does everything.
    </p>
  </section>`;
}

/**
 * @param selected the role that is picked at first
 * @param name what the field is called for those who do not see it
 */
export function roleSelect(selected: Role, name: string): Html {
  const options = ROLES.map((role) =>
    role === selected
      ? html`<option value="${role}" selected>${role}</option>`
      : html`<option value="${role}">${role}</option>`,
  );
  return html`<select name="role" aria-label="${name}">
    ${options}
  </select>`;
}

/** Where the platform gives no name, the beginning of its id tells people apart. */
export function memberNameOf({ displayName, subject }: Pick<Member, 'displayName' | 'subject'>): string {
  return displayName ?? `Person ${subject.slice(0, 12)}`;
}

function roleForm(member: Member, csrfToken: string): Html {
  const { id, role } = member;
  return settingsForm(
    csrfToken,
    `members/${id}/role`,
    html`${roleSelect(role, `Role of ${memberNameOf(member)}`)} <button>Change</button>`,
  );
}
