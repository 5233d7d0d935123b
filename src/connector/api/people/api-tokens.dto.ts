import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { field, shape } from '../../../foundation/http/shape.js';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { ROLES, type Role } from '../../access/domain/role.js';
import { IsPlainText } from '../mapping/mapping.validators.js';

export const MAX_TOKEN_DAYS = 366;
export const MAX_LABEL_LENGTH = 100;

export class ApiTokenRequest {
  @ApiProperty({ enum: ROLES, description: 'at most your own' })
  @IsIn(ROLES)
  readonly role!: Role;

  @ApiProperty({ description: 'what the token is for', maxLength: MAX_LABEL_LENGTH })
  @IsString()
  @IsNotEmpty()
  @IsPlainText()
  @MaxLength(MAX_LABEL_LENGTH)
  readonly label!: string;

  @ApiPropertyOptional({
    description: 'days until it expires',
    minimum: 1,
    maximum: MAX_TOKEN_DAYS,
    default: 90,
  })
  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(MAX_TOKEN_DAYS)
  readonly days: number = 90;
}

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
