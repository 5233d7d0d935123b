import { IsIn, ValidateIf } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { ROLES } from '../../access/domain/role.js';
import { LANGUAGES } from '../../messages/texts.js';
import { pageOf } from '../http/page.dto.js';

export class MemberResponse extends shape({
  id: field.uuid(),
  subject: field.text('id of the person at the platform'),
  displayName: field.text('as of the last sign-in').nullable(),
  role: field.oneOf(ROLES),
  createdAt: field.instant(),
  signedInAt: field.instant(),
  removedAt: field.instant('until a role is given anew').nullable(),
}) {}

export class MembersResponse extends pageOf(MemberResponse, 'oldest first') {}

export class RoleRequest extends shape({
  role: input.oneOf(ROLES),
}) {}

export class MeResponse extends shape({
  installationId: field.uuid(),
  role: field.oneOf(ROLES),
  name: field.text({ description: 'as in the audit log', example: 'person 0198c0de-…' }),
  displayName: field.text({ example: 'Ada', description: 'of the member, as of the last sign-in' }).nullable(),
  memberId: field
    .uuid('the member who signed in or owns the token; null for a token that the operator created')
    .nullable(),
  hasAdmin: field.flag('whether the company has an admin; without one a code of the operator makes a member the first'),
  language: field.oneOf(LANGUAGES, 'that the person has chosen; null: by `Accept-Language`').nullable(),
  signedInRecently: field
    .flag(
      'whether actions that need a sign-in within the last 15 minutes are allowed now; null for API tokens, which need none',
    )
    .nullable(),
  csrfToken: field
    .text('sent with writes of this session as X-CSRF-Token; null for API tokens, which need none')
    .nullable(),
}) {}

export class FirstAdminRequest extends shape({
  code: input.text({ minLength: 1, maxLength: 500 }),
}) {}

export class LanguageRequest extends shape({
  language: input.of<string | null>(
    { type: String, enum: LANGUAGES, nullable: true, description: 'null: by `Accept-Language`' },
    ValidateIf((_, value) => value !== null),
    IsIn(LANGUAGES),
  ),
}) {}
