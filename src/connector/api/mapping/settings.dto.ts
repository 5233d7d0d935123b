import { IsDefined, IsObject } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { SetupStepResponse } from './setup.dto.js';
import { IsAccountByCurrency, IsAccountByItemType } from './settings.validators.js';

const ACCOUNT = {
  description: 'external id or code of an account in the ERP',
  example: '1935',
  minLength: 1,
  maxLength: 255,
} as const;

export class AccountSettings extends shape({
  wallets: input.of<Record<string, string>>(
    {
      description: 'wallet account per currency',
      example: { EUR: '1935' },
      additionalProperties: { type: 'string' },
      type: 'object',
    },
    IsObject(),
    IsAccountByCurrency(),
  ),
  companyBank: input.text(ACCOUNT).optional(),
  companyBankByCurrency: input
    .of<Record<string, string>>(
      { description: 'where it differs from `companyBank`', additionalProperties: { type: 'string' }, type: 'object' },
      IsObject(),
      IsAccountByCurrency(),
    )
    .orElse(() => ({})),
  outOfPocket: input.text(ACCOUNT).optional(),
  accountsPayable: input.text(ACCOUNT).optional(),
  fxRounding: input.text(ACCOUNT).optional(),
  realizedFx: input.text(ACCOUNT).optional(),
  fallbackAccounts: input
    .of<Record<string, string>>(
      {
        description: 'per item type, for lines that name no account',
        example: { fee: '6570' },
        additionalProperties: { type: 'string' },
        type: 'object',
      },
      IsObject(),
      IsAccountByItemType(),
    )
    .orElse(() => ({})),
}) {}

export class PolicySettings extends shape({
  unknownVendor: input.oneOf(['create', 'fail']),
  closedPeriod: input.oneOf(['fail', 'next-open']),
  postingState: input.oneOf(['draft', 'posted']),
  conflicts: input.oneOf(['fail', 'reverse-and-repost'], {
    default: 'fail',
    description:
      'an entry that is in the books already, with other content: fail it and show both, or reverse what is in the books and post it anew',
  }),
  receipts: input.oneOf(['fail', 'post-without'], {
    default: 'post-without',
    description:
      'an entry with a receipt that does not get into the ERP: fail it, or post it without that receipt and with a warning',
  }),
  reversedInErp: input.oneOf(['repost', 'fail'], {
    default: 'repost',
    description:
      'an entry that was reversed in the ERP and is exported again as it was: post it anew with a warning, or fail it',
  }),
}) {}

export class SettingsRequest extends shape({
  accounts: input.one(AccountSettings, {}, IsDefined()),
  policies: input.one(PolicySettings, {}, IsDefined()),
}) {}

export class SettingsResponse extends shapeWith(SettingsRequest, {
  version: field.number('also the ETag; each save makes the next one'),
}) {}

export class ErpCompanyRequest extends shape({
  erpCompanyId: input.text({ minLength: 1, maxLength: 255, description: 'id of the company in the ERP' }),
}) {}

export class WebhookSettings extends shape({
  timestampMeaning: input.oneOf(
    ['attempt', 'generation'],
    'what the platform means by `webhook-timestamp`: when it sent the message this time (accepted for 5 minutes), or when the event happened (accepted as long as the platform repeats a message, 33 h)',
  ),
}) {}

export class SetupFindings extends shape({
  ready: field.flag('false while a step that blocks everything is open'),
  steps: field.many(SetupStepResponse, 'as `GET /api/v1/setup` has them, without alerts'),
}) {}

export class SavedSettingsResponse extends shapeWith(SettingsResponse, {
  setup: field.one(SetupFindings, 'what the set-up finds with the settings that are saved now'),
}) {}
