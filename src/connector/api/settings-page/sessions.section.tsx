import { Table } from '../../../foundation/pages/table.js';
import type { OwnSession } from '../../access/session.repository.js';
import { SettingsForm, shownTime } from './settings-layout.js';

export interface SessionsView {
  readonly sessions: readonly OwnSession[];
  readonly csrfToken: string;
}

/** Where the person is signed in. */
export function SessionsSection({ sessions, csrfToken }: SessionsView) {
  return (
    <section id="sessions">
      <h2>Where you are signed in</h2>
      <Table columns={['Device', 'Address', 'Signed in', 'Last used', '']}>
        {sessions.map(({ id, device, address, createdAt, lastUsedAt, current }) => (
          <tr key={id}>
            <td>
              {device}
              {current && ' (here)'}
            </td>
            <td>{address}</td>
            <td>{shownTime(createdAt)}</td>
            <td>{shownTime(lastUsedAt)}</td>
            <td>
              {!current && (
                <SettingsForm csrfToken={csrfToken} path={`sessions/${id}/end`}>
                  <button>End</button>
                </SettingsForm>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {sessions.length > 1 && (
        <SettingsForm csrfToken={csrfToken} path="sessions/end-others">
          <button>End all others</button>
        </SettingsForm>
      )}
    </section>
  );
}
