import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { IsInstant } from '../http/instant.validator.js';
import { LongPageQuery, PageResponse, pageOf } from '../http/page.dto.js';

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

export class AuditEntryResponse extends shape({
  position: field.number('number in the log, from 1 without gaps'),
  occurredAt: field.instant(),
  actor: field.text('a token, a person, the operator, a step of the connector (`system …`), or a database user'),
  requestId: field.text().nullable(),
  object: field.text(),
  objectId: field.text(),
  action: field.oneOf(['created', 'changed', 'removed']),
  before: field.json<Readonly<Record<string, unknown>>>('of a change only what differs').nullable(),
  after: field.json<Readonly<Record<string, unknown>>>().nullable(),
  hash: field.text('SHA-256 over the hash of the entry before and this entry'),
  address: field
    .text('of a download, the IP address of the caller while it is kept; the entry itself has a digest of it')
    .nullable(),
}) {}

export class AuditResponse extends pageOf(AuditEntryResponse) {}

export class AuditVerificationQuery {
  @ApiPropertyOptional({ description: '`nextCursor` of the answer before' })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  readonly after?: string;
}

export class AuditLogEndResponse extends shape({
  position: field.number(),
  hash: field.text('empty before the first entry'),
}) {}

export class AuditBreakResponse extends shape({
  reason: field.oneOf(['entry-missing', 'hash-differs']),
  position: field.number(),
}) {}

export class AuditVerificationResponse extends shapeWith(PageResponse, {
  intact: field.flag('whether everything checked so far is as it was written'),
  verifiedUpTo: field.number('position up to which it is'),
  firstBroken: field.one(AuditBreakResponse).nullable(),
  head: field.one(AuditLogEndResponse, 'the end of the log; worth keeping elsewhere'),
}) {}
