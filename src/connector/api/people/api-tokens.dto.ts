import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { ROLES } from '../../access/domain/role.js';
import { IsPlainText } from '../mapping/mapping.validators.js';

export const MAX_TOKEN_DAYS = 366;
export const MAX_LABEL_LENGTH = 100;

export class ApiTokenRequest extends shape({
  role: input.oneOf(ROLES, 'at most your own'),
  label: input.text({ description: 'what the token is for', minLength: 1, maxLength: MAX_LABEL_LENGTH }, IsPlainText()),
  days: input.integer({ description: 'days until it expires', minimum: 1, maximum: MAX_TOKEN_DAYS, default: 90 }),
}) {}

export class ApiTokenResponse extends shape({
  id: field.uuid(),
  token: field.text('shown only now'),
  role: field.oneOf(ROLES),
  expiresAt: field.instant(),
}) {}

export function toApiTokenResponse({ id, token, role, expiresAt }: ApiTokenResponse): ApiTokenResponse {
  return { id, token, role, expiresAt };
}

export class ListedApiTokenResponse extends shape({
  id: field.uuid(),
  prefix: field
    .text({ description: 'its first characters; null where they were not stored', example: 'cat_3fGh' })
    .nullable(),
  role: field.oneOf(ROLES, 'at most; never more than the current role of its creator'),
  label: field.text(),
  madeBy: field
    .uuid('the member it belongs to, revoked when that member is removed; null: created by the operator')
    .nullable(),
  madeWith: field.uuid('the token it was created with, revoked together with it; null: created without one').nullable(),
  createdAt: field.instant(),
  expiresAt: field.instant(),
  lastUsedAt: field.instant('to the minute').nullable(),
}) {}

export class ApiTokensResponse extends shape({
  data: field.many(ListedApiTokenResponse, 'newest first; at most 100'),
}) {}
