import { ApiProperty } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';
import { ROLES, type Role } from '../../access/domain/role.js';
import { LANGUAGES } from '../../messages/texts.js';
import { PageResponse } from '../http/page.dto.js';

export class MemberResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ description: 'id of the person at the platform' }) readonly subject!: string;
  @ApiProperty({ type: String, nullable: true, description: 'as of the last sign-in' })
  readonly displayName!: string | null;
  @ApiProperty({ enum: ROLES }) readonly role!: Role;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ format: 'date-time' }) readonly signedInAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'until a role is given anew' })
  readonly removedAt!: Date | null;
}

export class MembersResponse extends PageResponse {
  @ApiProperty({ type: [MemberResponse], description: 'oldest first' })
  readonly data!: readonly MemberResponse[];
}

export class RoleRequest {
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  readonly role!: Role;
}

export class MeResponse {
  @ApiProperty({ format: 'uuid' }) readonly installationId!: string;
  @ApiProperty({ enum: ROLES }) readonly role!: Role;
  @ApiProperty({ description: 'as in the audit log', example: 'person 0198c0de-…' })
  readonly name!: string;
  @ApiProperty({ type: String, nullable: true, example: 'Ada', description: 'of the member, as of the last sign-in' })
  readonly displayName!: string | null;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'the member who signed in or owns the token; null for a token that the operator created',
  })
  readonly memberId!: string | null;
  @ApiProperty({
    type: String,
    enum: LANGUAGES,
    nullable: true,
    description: 'that the person has chosen; null: by `Accept-Language`',
  })
  readonly language!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'sent with writes of this session as X-CSRF-Token; null for API tokens, which need none',
  })
  readonly csrfToken!: string | null;
}

export class LanguageRequest {
  @ApiProperty({ type: String, enum: LANGUAGES, nullable: true, description: 'null: by `Accept-Language`' })
  @ValidateIf((_, value) => value !== null)
  @IsIn(LANGUAGES)
  readonly language!: string | null;
}
