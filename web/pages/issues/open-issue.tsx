import { Checkbox } from '@mantine/core';
import type { IssueResponse, SuggestionResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { IssueCard } from '../../parts/issues/issue-card.js';
import { Needs, useMay } from '../../parts/roles.js';
import { Handling } from './handling.js';
import { proposalFor, resolverOf } from './proposal.js';
import { ResolveForm } from './resolve-form.js';

interface OpenIssueProps {
  readonly issue: IssueResponse;
  readonly suggestions: readonly SuggestionResponse[];
  readonly myName: string;
  readonly isSelected?: boolean;
  /** Undefined where one issue stands alone. */
  readonly onSelect?: () => void;
}

/** An issue with everything that can be done about it. The card takes the focus; enter in it accepts the proposal. */
export function OpenIssue({ issue, suggestions, myName, isSelected = false, onSelect }: OpenIssueProps) {
  const mayResolve = useMay('bookkeeper');
  return (
    <div
      id={issue.issueKey}
      data-issue
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) {
          event.preventDefault();
          acceptIn(event.currentTarget);
        }
        // Not of what opens over the card: that closes, and gives the focus back to its button.
        if (event.key === 'Escape' && event.currentTarget.contains(event.target as Node)) {
          event.currentTarget.focus();
        }
      }}
    >
      <IssueCard
        issue={issue}
        before={
          onSelect === undefined || issue.state === 'closed' || !mayResolve ? null : (
            <Checkbox
              aria-label={t('issues.select', { issue: issue.message.text })}
              checked={isSelected}
              onChange={onSelect}
            />
          )
        }
      >
        {issue.state === 'closed' ? null : (
          <Needs role="bookkeeper" explained>
            <Needs role={resolverOf(issue)} explained>
              <ResolveForm issue={issue} proposal={proposalFor(issue, suggestions)} />
            </Needs>
            <Handling issue={issue} myName={myName} />
          </Needs>
        )}
      </IssueCard>
    </div>
  );
}

/** Sends the form of a card; where something has to be entered first, it goes there. */
function acceptIn(card: HTMLElement): void {
  const form = card.querySelector('form');
  const missing = form?.querySelector<HTMLElement>('input:invalid');
  if (missing) {
    missing.focus();
  } else {
    form?.requestSubmit();
  }
}
