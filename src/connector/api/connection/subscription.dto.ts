import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';

const STATUSES = ['ACTIVE', 'INACTIVE'] as const;

export class SubscriptionRequest extends shape({
  status: input.oneOf(
    STATUSES,
    'INACTIVE: the platform sends nothing; new jobs are then found by polling, within minutes',
  ),
}) {}

export class SubscriptionResponse extends shape({
  platformSubscriptionId: field.uuid('null before it is created').nullable(),
  wantedStatus: field.oneOf(STATUSES),
  confirmedStatus: field.text('as the platform last said').nullable(),
  confirmedAt: field.instant().nullable(),
  secretSince: field.instant().nullable(),
  previousSecretUntil: field
    .instant('until then messages signed with the previous secret are accepted as well')
    .nullable(),
  rotationRequestedAt: field.instant('while a rotation is under way').nullable(),
}) {}
