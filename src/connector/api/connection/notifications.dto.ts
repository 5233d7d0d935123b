import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { NOTIFICATION_STATES } from '../../webhooks/domain/notification-state.js';
import { LongPageQuery, pageOf } from '../http/page.dto.js';

export class NotificationsQuery extends shapeWith(LongPageQuery, {
  state: input.oneOf(NOTIFICATION_STATES).optional(),
}) {}

export class NotificationResponse extends shape({
  id: field.text(),
  state: field.oneOf(
    NOTIFICATION_STATES,
    'taken: accepted · ignored: accepted, of an event we do not act on · quarantined: signed, but not accepted · replayed: was quarantined, and accepted since',
  ),
  webhookId: field.text(),
  eventId: field.text().nullable(),
  eventType: field.text().nullable(),
  reason: field.oneOf(['malformed', 'foreign-company', 'company-not-mapped', 'conflicting-body']).nullable(),
  detail: field.text('the reason in words').nullable(),
  bodyBytes: field.number(),
  deliveries: field.number('how often a quarantined message came'),
  receivedAt: field.instant(),
  lastReceivedAt: field.instant(),
}) {}

export class NotificationsResponse extends pageOf(NotificationResponse) {}

export class ReplayResponse extends shape({
  outcome: field.oneOf(
    ['stored', 'duplicate', 'requeued', 'quarantined'],
    'stored: it is accepted · duplicate: it was accepted before · quarantined: it is quarantined again',
  ),
  detail: field.text('why it is quarantined again').nullable(),
}) {}
