import { Table } from '../../../foundation/pages/table.js';
import { ROLES, type Role } from '../../access/domain/role.js';
import type { Member } from '../../access/member.reader.js';
import { MoreNote, SettingsForm, shownTime } from './settings-layout.js';

export interface MembersView {
  readonly members: readonly Member[];
  /** More members exist than are shown. */
  readonly hasMore: boolean;
  readonly ownId: string | undefined;
  readonly isAdmin: boolean;
  /** Without one the operator's code makes the caller the first. */
  readonly hasAdmin: boolean;
  readonly csrfToken: string;
}

/** The members who have signed in; admins assign roles here. */
export function MembersSection({ members, hasMore, ownId, isAdmin, hasAdmin, csrfToken }: MembersView) {
  return (
    <section>
      <h2>People</h2>
      <Table columns={['Name', 'Role', 'Last sign-in', '']}>
        {members.map((member) => (
          <tr key={member.id}>
            <td>
              {memberNameOf(member)}
              {member.id === ownId && ' (you)'}
              {member.removedAt !== null && ' (removed)'}
            </td>
            <td>{isAdmin ? <RoleForm member={member} csrfToken={csrfToken} /> : member.role}</td>
            <td>{shownTime(member.signedInAt)}</td>
            <td>
              {isAdmin && member.removedAt === null && (
                <SettingsForm csrfToken={csrfToken} path={`members/${member.id}/removal`}>
                  <button>Remove</button>
                </SettingsForm>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {hasMore && <MoreNote request="GET /api/v1/members" />}
      {!hasAdmin && (
        <SettingsForm csrfToken={csrfToken} path="first-admin">
          <label>
            This company has no admin. The operator’s code makes you the first: <input name="code" maxLength={500} />
          </label>{' '}
          <button>Become admin</button>
        </SettingsForm>
      )}
      <p className="soft">
        Anyone to whom the platform gives access to the company can sign in, and starts as a viewer. A viewer reads; a
        bookkeeper changes rules and exports again; an admin can do everything. Who was removed can sign in again once
        an admin has given a role anew.
      </p>
    </section>
  );
}

export interface RoleSelectProps {
  readonly selected: Role;
  /** Name of the field for screen readers. */
  readonly label: string;
}

export function RoleSelect({ selected, label }: RoleSelectProps) {
  return (
    <select name="role" aria-label={label} defaultValue={selected}>
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {role}
        </option>
      ))}
    </select>
  );
}

/** Where the platform gives no name, the beginning of its id tells people apart. */
export function memberNameOf({ displayName, subject }: Pick<Member, 'displayName' | 'subject'>): string {
  return displayName ?? `Person ${subject.slice(0, 12)}`;
}

function RoleForm({ member, csrfToken }: { readonly member: Member; readonly csrfToken: string }) {
  return (
    <SettingsForm csrfToken={csrfToken} path={`members/${member.id}/role`}>
      <RoleSelect selected={member.role} label={`Role of ${memberNameOf(member)}`} />{' '}
      <button>{member.removedAt === null ? 'Change' : 'Invite'}</button>
    </SettingsForm>
  );
}
