import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
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

export class ApiTokenResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ description: 'shown only now' }) readonly token!: string;
  @ApiProperty({ enum: ROLES }) readonly role!: Role;
  @ApiProperty({ format: 'date-time' }) readonly expiresAt!: Date;
}

export function toApiTokenResponse({ id, token, role, expiresAt }: ApiTokenResponse): ApiTokenResponse {
  return { id, token, role, expiresAt };
}

export class ListedApiTokenResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'its first characters; null where they were not stored',
    example: 'cat_3fGh',
  })
  readonly prefix!: string | null;
  @ApiProperty({ enum: ROLES, description: 'at most; never more than the current role of its creator' })
  readonly role!: Role;
  @ApiProperty() readonly label!: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'the member it belongs to, revoked when that member is removed; null: created by the operator',
  })
  readonly madeBy!: string | null;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'the token it was created with, revoked together with it; null: created without one',
  })
  readonly madeWith!: string | null;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ format: 'date-time' }) readonly expiresAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'to the minute' })
  readonly lastUsedAt!: Date | null;
}

export class ApiTokensResponse {
  @ApiProperty({ type: [ListedApiTokenResponse], description: 'newest first; at most 100' })
  readonly data!: readonly ListedApiTokenResponse[];
}
