import { IsObject } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { ERP_CHECKS } from '../../erp-connections/domain/erp-findings.js';

export class ErpKindResponse extends shape({
  kind: field.text({ description: 'names the kind of accounting system', example: 'ledger' }),
  name: field.text({ description: 'as people call it', example: 'Ledger (sandbox)' }),
  settingsSchema: field.json<Readonly<Record<string, unknown>>>(
    'JSON Schema (draft 2020-12) of the settings that connect it; forms are made of it',
  ),
  secrets: field.texts('properties of the settings that are written and never read'),
  hasSignIn: field.flag(
    'whether a person can sign in at the accounting system itself, instead of entering credentials here',
  ),
}) {}

export class ErpKindsResponse extends shape({
  data: field.many(ErpKindResponse),
}) {}

export class ErpConnectionRequest extends shape({
  kind: input.text({ description: 'one of the kinds of GET /api/v1/erp-kinds', minLength: 1, maxLength: 40 }),
  settings: input.of<Readonly<Record<string, never>>>(
    {
      type: 'object',
      additionalProperties: true,
      description:
        'as the kind’s schema wants them; a secret that is left out stays as it is while the ERP is the same',
    },
    IsObject(),
  ),
  confirmChange: input
    .flag('true: the person knows that entries in the accounting system before stay there')
    .optional(),
}) {}

export class ErpSignInResponse extends shape({
  signInUrl: field.uri('where the browser of the person who signs in goes'),
  expiresAt: field.instant('when it has to be over'),
}) {}

export class ErpTestAccounts extends shape({
  debit: input.text({ description: 'code of the account that is debited', minLength: 1, maxLength: 100 }),
  credit: input.text({ description: 'code of the account that is credited', minLength: 1, maxLength: 100 }),
}) {}

export class ErpTestRequestBody extends shape({
  erpCompanyId: input.text({ description: 'company whose lists are read', minLength: 1, maxLength: 255 }).optional(),
  testEntry: input
    .one(ErpTestAccounts, 'accounts of an entry of one minor unit, posted today and taken back at once')
    .optional(),
}) {}

export class ErpCompanyResponse extends shape({
  id: field.text('id in the accounting system'),
  name: field.text(),
  registrationNumber: field.text().nullable(),
}) {}

export class ErpCompaniesResponse extends shape({
  data: field.many(ErpCompanyResponse),
}) {}

export class ErpCheckResponse extends shape({
  check: field.oneOf(ERP_CHECKS),
  state: field.oneOf(['works', 'fails', 'not-tried']),
  detail: field.text('a sentence for the administrator, in the language of the reader'),
}) {}

export class ErpFindingResponse extends shapeWith(ErpCheckResponse, {
  at: field.instantText('when it was tried'),
}) {}

export class ErpConnectionResponse extends shape({
  kind: field.text({ example: 'ledger' }),
  name: field.text('as people call the accounting system'),
  state: field.oneOf(
    ['ok', 'limited', 'needs-reauthorization'],
    'limited: it has asked the connector to wait, or does not respond',
  ),
  problem: field.text('why, and what an administrator has to do').nullable(),
  limitedUntil: field.instant('until when it is limited at least').nullable(),
  settings: field.json<Readonly<Record<string, unknown>>>('without secrets'),
  connectedBy: field.text(),
  connectedAt: field.instant(),
  lastSuccessAt: field.instant('when it last accepted a request').nullable(),
  guarantee: field
    .oneOf(
      ['permanent-key', 'expiring-key', 'searchable-reference', 'none'],
      'what it offers against double posting; at `none` a person looks up what is in doubt',
    )
    .nullable(),
  givesFiles: field.flag('whether entries are given out as files: GET /api/v1/erp-batches'),
  company: field.text('company of the newest test that named one').nullable(),
  functionalCurrency: field.text('in which that company keeps its books').nullable(),
  timeZone: field
    .text({
      description:
        'of the company in which the days of its books begin and end; as the newest test or reconciliation has found it',
      example: 'Europe/Copenhagen',
    })
    .nullable(),
  findings: field.many(ErpFindingResponse, 'the newest result of each check'),
}) {}

export class ErpTestResponse extends shape({
  checks: field.many(ErpCheckResponse),
  companies: field.many(ErpCompanyResponse),
}) {}
