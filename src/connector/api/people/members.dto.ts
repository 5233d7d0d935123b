import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { ROLES, type Role } from '../../access/domain/role.js';

export class MemberResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ description: 'who it is to the platform' }) readonly subject!: string;
  @ApiProperty({ type: String, nullable: true, description: 'as the platform had it at the last sign-in' })
  readonly displayName!: string | null;
  @ApiProperty({ enum: ROLES }) readonly role!: Role;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ format: 'date-time' }) readonly signedInAt!: Date;
}

export class MembersResponse {
  @ApiProperty({ type: [MemberResponse], description: 'oldest first' })
  readonly data!: readonly MemberResponse[];
  @ApiProperty({ type: String, nullable: true, description: '`after` of the next page' })
  readonly nextCursor!: string | null;
}

export class RoleRequest {
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  readonly role!: Role;
}

export class MeResponse {
  @ApiProperty({ format: 'uuid' }) readonly installationId!: string;
  @ApiProperty({ enum: ROLES }) readonly role!: Role;
  @ApiProperty({ description: 'as records of changes have it', example: 'person 0198c0de-…' })
  readonly name!: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'who signed in, or whose token it is; null for a token of the operator',
  })
  readonly memberId!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'what writes of this session send as X-CSRF-Token; null for tokens, which need none',
  })
  readonly csrfToken!: string | null;
}
