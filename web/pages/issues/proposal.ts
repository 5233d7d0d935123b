import type { IssueResolutionRequest, IssueResponse, ProposalResponse, SuggestionResponse } from '../../api/schema.js';

/** What the connector proposes for an issue that a rule resolves. */
export function proposalFor(
  { kind, reference, group }: IssueResponse,
  suggestions: readonly SuggestionResponse[],
): ProposalResponse | undefined {
  return suggestions.find(
    ({ subject, source, sourceGroup }) =>
      source === reference &&
      kind.startsWith(subject) &&
      (sourceGroup === null || group === null || sourceGroup === group),
  )?.proposals[0];
}

/**
 * @param target of a rule or setting, as entered or proposed
 * @param targetGroup of a tag: the dimension
 */
export function resolutionOf(
  { suggestedResolution: { action } }: IssueResponse,
  target: string,
  targetGroup: string | null,
): IssueResolutionRequest {
  if (action === 'rule') {
    return { rule: { target, ...(targetGroup === null || targetGroup === '' ? {} : { targetGroup }) } };
  }
  return action === 'setting' ? { setting: { account: target } } : {};
}

/** @returns who may resolve it, as the API has it: settings are changed by admins */
export function resolverOf({ suggestedResolution: { action } }: IssueResponse): 'admin' | 'bookkeeper' {
  return action === 'setting' ? 'admin' : 'bookkeeper';
}
