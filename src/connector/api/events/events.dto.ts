import { Matches, MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';

/** `<horizon>.<seconds>`, opaque to clients. */
export const EVENT_ID = /^(\d{1,19})\.(\d{1,10})$/;

const KINDS = [
  ...['job', 'issue', 'reexport', 'sync', 'reconciliation', 'discrepancies', 'certificate', 'alert', 'connection'],
];

export class EventsQuery extends shape({
  since: input
    .text(
      {
        description: 'id of the last event that was seen, where the header Last-Event-ID cannot be sent',
        example: '81234.1764000000',
      },
      MaxLength(40),
      Matches(EVENT_ID),
    )
    .optional(),
}) {}

export class EventResponse extends shape({
  kind: field.oneOf(KINDS),
  subject: field.text({
    description: 'id or key of what changed; empty where there may be many',
    example: 'account:6420',
  }),
  state: field.text({ description: 'present state, of what has one', example: 'open' }).nullable(),
  at: field.instantText(),
}) {}

export class EventsResponse extends shape({
  data: field.many(EventResponse, 'what has changed since then, each subject once'),
  reset: field.flag('whether there was more than can be told: read everything again'),
  lastEventId: field.text({ description: '`since` of the next request', example: '81234.1764000000' }),
}) {}
