import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { PageQuery, pageOf } from '../http/page.dto.js';

export class DeadLettersQuery extends shapeWith(PageQuery, {
  customer: input.uuid('id of an installation: only its dead letters').optional(),
}) {}

export class DeadLetterResponse extends shape({
  id: field.text(),
  kind: field.oneOf(
    ['task', 'message'],
    'task: its attempts were used up · message: signed by the platform, but not understood or not assigned',
  ),
  installationId: field.uuid(),
  companyName: field.text(),
  subject: field.text('kind of the task, or why the message was quarantined'),
  problem: field.text('what the last attempt of a task failed with').nullable(),
  times: field.number('how often attempts were used up, or the message came'),
  at: field.instant(),
}) {}

export class DeadLettersResponse extends pageOf(DeadLetterResponse, 'newest first') {}

export class DeadLetterReplayResponse extends shape({
  outcome: field.oneOf(
    ['sent', 'stored', 'duplicate', 'requeued', 'quarantined'],
    'sent: the task is in the queue · stored: the message is accepted · duplicate: it was accepted before · quarantined: it is quarantined again',
  ),
}) {}

export class WorkerResponse extends shape({
  id: field.uuid(),
  host: field.text(),
  pid: field.number(),
  startedAt: field.instant(),
  lastBeatAt: field.instant(),
  running: field.number('tasks that it does now'),
  state: field.oneOf(
    ['working', 'draining', 'drained', 'gone'],
    'draining: takes nothing more · drained: can be stopped · gone: has said nothing for half a minute',
  ),
  drainRequestedBy: field.text().nullable(),
  drainRequestedAt: field.instant().nullable(),
}) {}

export class WorkersResponse extends shape({
  data: field.many(WorkerResponse, 'of the last seven days, at most 200'),
}) {}
