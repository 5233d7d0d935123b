import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, ValidateIf } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { ALERT_KINDS, type AlertKind } from '../../alerts/domain/alert.js';
import { ALERT_CHANNELS } from '../../alerts/domain/alert-settings.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { pageOf } from '../http/page.dto.js';

const MAX_ADDRESS_LENGTH = 2_048;

const KINDS = {
  enum: ALERT_KINDS,
  isArray: true,
  maxItems: ALERT_KINDS.length,
  description:
    'export-failed · export-with-errors · deadline-near: an open export ends within 15 minutes · authorization-needed: of the platform · erp-authorization-needed: the accounting system refuses the credentials · subscription-disabled · discrepancies-overdue: open for longer than the limit of the reconciliation settings · in-doubt-posting · sync-failed: a reference-data run · digest-daily, digest-weekly: what is open, at seven in the company’s morning and on Mondays, only when something is',
};

export class AlertSettingsRequest extends shape({
  channel: input.oneOf(ALERT_CHANNELS),
  address: input
    .text({
      minLength: 1,
      maxLength: MAX_ADDRESS_LENGTH,
      description:
        'https address of the webhook, or mail address; left out, the one of the same channel is kept; without meaning when the channel is off',
    })
    .optional(
      ValidateIf(({ channel }: { readonly channel?: unknown }) => channel !== 'off'),
      ValidateIf((_, address) => address !== undefined),
    ),
  kinds: input.of<readonly AlertKind[]>(
    KINDS,
    IsArray(),
    ArrayMaxSize(ALERT_KINDS.length),
    ArrayUnique(),
    IsIn(ALERT_KINDS, { each: true }),
  ),
  newSecret: input.flag({ default: false, description: 'makes a new secret for the webhook' }),
}) {}

export class AlertSettingsResponse extends shape({
  version: field.number('0: never saved'),
  channel: field.oneOf(ALERT_CHANNELS),
  address: field
    .text('mail address; of a webhook only the host and the last four characters, since it may be a secret itself')
    .nullable(),
  kinds: field.of<readonly AlertKind[]>(KINDS),
  canSendMail: field.flag('false: this connector has no mail server, and alerts by mail are refused'),
}) {}

export class AlertSettingsSavedResponse extends shapeWith(AlertSettingsResponse, {
  secret: field
    .text(
      'signs the webhook’s messages (Standard Webhooks); shown only when the webhook is new or a new secret was requested',
    )
    .nullable(),
}) {}

export class AlertTestResponse extends shape({
  delivered: field.flag(),
  problem: field.text('why it was not').nullable(),
}) {}

export class AlertResponse extends shape({
  id: field.uuid(),
  kind: field.oneOf(ALERT_KINDS),
  title: field.text('in English'),
  advice: field.text('in English'),
  message: field.one(MessageResponse, 'the title'),
  action: field.one(MessageResponse, 'the advice'),
  raisedAt: field.instant(),
  state: field.oneOf(
    ['waiting', 'sent', 'failed'],
    'waiting: for the hourly limit or another attempt · failed: given up',
  ),
  sentAt: field.instant().nullable(),
  problem: field.text('of the last attempt that failed').nullable(),
}) {}

export class AlertsResponse extends pageOf(AlertResponse) {}
