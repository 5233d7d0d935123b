import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { IsInstant } from '../http/instant.validator.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';

export class AuditQuery extends LongPageQuery {
  @ApiPropertyOptional({ description: 'kind of what was changed', example: 'installation' })
  @OptionalField()
  @Matches(/^[a-z_]{1,63}$/)
  readonly object?: string;

  @ApiPropertyOptional({ description: 'key of what was changed' })
  @OptionalField()
  @IsString()
  @MaxLength(300)
  readonly objectId?: string;

  @ApiPropertyOptional({ description: 'who changed it, as in the entries' })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  readonly actor?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'start, inclusive' })
  @OptionalField()
  @IsInstant()
  readonly from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'end, exclusive' })
  @OptionalField()
  @IsInstant()
  readonly to?: string;
}

export class AuditEntryResponse {
  @ApiProperty({ description: 'number in the log, from 1 without gaps' }) readonly position!: number;
  @ApiProperty({ format: 'date-time' }) readonly occurredAt!: Date;
  @ApiProperty({
    description: 'a token, a person, the operator, a step of the connector (`system …`), or a database user',
  })
  readonly actor!: string;
  @ApiProperty({ type: String, nullable: true }) readonly requestId!: string | null;
  @ApiProperty() readonly object!: string;
  @ApiProperty() readonly objectId!: string;
  @ApiProperty({ enum: ['created', 'changed', 'removed'] })
  readonly action!: 'created' | 'changed' | 'removed';
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'of a change only what differs',
  })
  readonly before!: Readonly<Record<string, unknown>> | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  readonly after!: Readonly<Record<string, unknown>> | null;
  @ApiProperty({ description: 'SHA-256 over the hash of the entry before and this entry' })
  readonly hash!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'of a download, the IP address of the caller while it is kept; the entry itself has a digest of it',
  })
  readonly address!: string | null;
}

export class AuditResponse extends PageResponse {
  @ApiProperty({ type: [AuditEntryResponse] }) readonly data!: readonly AuditEntryResponse[];
}

export class AuditVerificationQuery {
  @ApiPropertyOptional({ description: '`nextCursor` of the answer before' })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  readonly after?: string;
}

export class AuditLogEndResponse {
  @ApiProperty() readonly position!: number;
  @ApiProperty({ description: 'empty before the first entry' }) readonly hash!: string;
}

export class AuditBreakResponse {
  @ApiProperty({ enum: ['entry-missing', 'hash-differs'] }) readonly reason!: string;
  @ApiProperty() readonly position!: number;
}

export class AuditVerificationResponse extends PageResponse {
  @ApiProperty({ description: 'whether everything checked so far is as it was written' })
  readonly intact!: boolean;
  @ApiProperty({ description: 'position up to which it is' }) readonly verifiedUpTo!: number;
  @ApiProperty({ type: AuditBreakResponse, nullable: true })
  readonly firstBroken!: AuditBreakResponse | null;
  @ApiProperty({ type: AuditLogEndResponse, description: 'the end of the log; worth keeping elsewhere' })
  readonly head!: AuditLogEndResponse;
}
