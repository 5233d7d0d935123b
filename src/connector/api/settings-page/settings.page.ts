import { html } from '../../../foundation/http/html.js';
import { membersSection } from './members.section.js';
import type { SettingsView } from './read-settings-view.js';
import { reconciliationSection } from './reconciliation.section.js';
import { settingsForm, settingsLayout } from './settings-layout.js';
import { connectionSection, issuesSection, setupSection } from './status.sections.js';
import { tokensSection, type TokensView } from './tokens.section.js';

/** @param made a token that was made just now */
export function settingsPage(view: SettingsView, csrfToken: string, made?: TokensView['created']): string {
  const { caller, connection, steps, issues, hasMoreIssues, members, hasMoreMembers, tokens } = view;
  const isAdmin = caller.role === 'admin';
  const { companyName } = connection.installation;
  return settingsLayout(
    `Connector of ${companyName}`,
    settingsForm(csrfToken, 'sign-out', html`<button>Sign out</button>`),
    html`${connectionSection(connection, caller.role)} ${setupSection(steps)}
      ${issuesSection(issues, hasMoreIssues)}
      ${reconciliationSection(view.reconciliation, caller.role === 'viewer' ? undefined : csrfToken)}
      ${membersSection({ members, hasMore: hasMoreMembers, ownId: caller.memberId, isAdmin, csrfToken })}
      ${tokens === undefined ? null : tokensSection({ tokens, members, created: made, csrfToken })}
      <section>
        <h2>More</h2>
        <ul>
          <li><a href="/api/docs">Everything the connector can do, for programs</a></li>
          ${isAdmin ? html`<li><a href="/api/v1/installation/export">Download what is kept</a></li>` : null}
          <li><a href="/connect">Connect again, or another company</a></li>
        </ul>
      </section>`,
  );
}
