import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { localize } from '../../messages/texts.js';
import type { ExportReadiness } from '../../review/check-readiness.js';
import { BLOCKER_KINDS } from '../../review/domain/readiness.js';

export class ReadinessBlockerResponse extends shapeWith(MessageResponse, {
  kind: field.oneOf(
    BLOCKER_KINDS,
    'paused: by the operator of the service · platform, accounting-system: a connection · setup: a step of the set-up · rules: of the mapping · unmapped: values of the platform in use that become nothing in the books · partly-mapped: those that are mapped for some types of entries only, which `ready` does not count · drift: what the mapping points at is not usable any more · issue: what keeps failed entries out of the books',
  ),
  count: field.number({
    description: 'of values (unmapped, partly-mapped, drift) or entries (issue); else 1',
    example: 3,
  }),
  link: field
    .text({
      description:
        'where it is resolved: a path of the page, below /app; null: the operator of the service resolves it',
      example: '/issues/account:6420',
    })
    .nullable(),
}) {}

export class ReadinessEntriesResponse extends shape({
  willPost: field.number({ description: 'would be posted now', example: 139 }),
  needYou: field.number({ description: 'would fail again, or could not be read; `blockers` says why', example: 3 }),
  notKnown: field.number({ description: 'nothing is stored of them any more', example: 0 }),
  isTruncated: field.flag({ description: 'there are more than the 500 that were looked at', example: false }),
}) {}

export class ReadinessResponse extends shape({
  ready: field.flag({ description: 'nothing is in the way, and all of it could be looked at', example: false }),
  blockers: field.many(ReadinessBlockerResponse, 'what stops all exports first'),
  failedEntries: field
    .one(
      ReadinessEntriesResponse,
      'entries that have failed and come again with the next export; null where it cannot be told',
    )
    .nullable(),
  notChecked: field.many(MessageResponse, 'what could not be looked at, and why'),
}) {}

export function toReadinessResponse(readiness: ExportReadiness, language: string): ReadinessResponse {
  const { isReady, blockers, failedEntries, notChecked } = readiness;
  return {
    ready: isReady,
    blockers: blockers.map(({ kind, count, link, detail }) => ({ kind, count, link, ...localize(language, detail) })),
    failedEntries: failedEntries === undefined ? null : entriesOf(failedEntries),
    notChecked: notChecked.map((each) => localize(language, each)),
  };
}

function entriesOf({ willPost, needYou, notKnown, isTruncated }: ReadinessEntriesResponse): ReadinessEntriesResponse {
  return { willPost, needYou, notKnown, isTruncated };
}
