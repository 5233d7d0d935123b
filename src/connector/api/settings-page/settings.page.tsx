import { ErpSection } from './erp.section.js';
import { MembersSection } from './members.section.js';
import type { SettingsView } from './read-settings-view.js';
import { ReconciliationSection } from './reconciliation.section.js';
import { SessionsSection } from './sessions.section.js';
import { SettingsForm, settingsLayout } from './settings-layout.js';
import { ConnectionSection, IssuesSection, SetupSection } from './status.sections.js';
import { TokensSection, type TokensView } from './tokens.section.js';

/** @param created the token created by this request, shown only now */
export function settingsPage(view: SettingsView, csrfToken: string, created?: TokensView['created']): string {
  const { caller, connection, steps, issues, hasMoreIssues, members, hasMoreMembers, tokens } = view;
  const isAdmin = caller.role === 'admin';
  return settingsLayout(
    `Connector of ${connection.installation.companyName}`,
    <SettingsForm csrfToken={csrfToken} path="sign-out">
      <button>Sign out</button>
    </SettingsForm>,
    <>
      <ConnectionSection connection={connection} role={caller.role} />
      <ErpSection erp={view.erp} csrfToken={isAdmin ? csrfToken : undefined} />
      <SetupSection steps={steps} />
      <IssuesSection issues={issues} hasMore={hasMoreIssues} />
      <ReconciliationSection view={view.reconciliation} csrfToken={caller.role === 'viewer' ? undefined : csrfToken} />
      <MembersSection
        members={members}
        hasMore={hasMoreMembers}
        ownId={caller.memberId}
        isAdmin={isAdmin}
        hasAdmin={view.hasAdmin}
        csrfToken={csrfToken}
      />
      {tokens !== undefined && (
        <TokensSection tokens={tokens} members={members} created={created} csrfToken={csrfToken} />
      )}
      <SessionsSection sessions={view.sessions} csrfToken={csrfToken} />
      <section>
        <h2>More</h2>
        <ul>
          <li>
            <a href="/app">Exports, mapping, month end and everything else on pages of their own</a>
          </li>
          <li>
            <a href="/api/docs">The connector’s API, for programs</a>
          </li>
          {isAdmin && (
            <li>
              <a href="/api/v1/installation/export">Download the stored data</a>
            </li>
          )}
          <li>
            <a href="/connect">Connect again, or another company</a>
          </li>
        </ul>
      </section>
    </>,
  );
}
