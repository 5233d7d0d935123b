import { MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { filter } from '../http/list-filters.js';
import { LongPageQuery, PageResponse, pageOf } from '../http/page.dto.js';

export class AuditQuery extends shapeWith(LongPageQuery, {
  object: input
    .matching(/^[a-z_]{1,63}$/, { description: 'kind of what was changed', example: 'installation' })
    .optional(),
  objectId: input.text('key of what was changed', MaxLength(300)).optional(),
  actor: input.text('who changed it, as in the entries', MaxLength(200)).optional(),
  from: filter.instant('start, inclusive'),
  to: filter.instant('end, exclusive'),
}) {}

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

export class AuditVerificationQuery extends shape({
  after: input.text('`nextCursor` of the response before', MaxLength(200)).optional(),
}) {}

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
