import { Text } from '../http/field.js';
import { MAX_DOCUMENTS } from '../journal/domain/place-documents.js';
import { instant, many, number, oneOf, shape, text } from '../http/shape.js';

/** The schema has the same limit. */
export const MAX_ATTACHMENT_BYTES = 30 * 1024 * 1024;
export const MAX_ATTACHMENTS = MAX_DOCUMENTS;
export const MEDIA_TYPES = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/heic',
  'application/xml',
  'text/plain',
  'text/csv',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

export class AttachQuery {
  /** As shown to people, with its extension. */
  @Text()
  readonly fileName!: string;
}

export class StoredDocumentDto extends shape({
  digest: text({ description: 'SHA-256 of the content, in hex; a posting group names the document by it' }),
  mediaType: oneOf(MEDIA_TYPES),
  size: number({ description: 'bytes' }),
}) {}

export class AttachmentDto extends shape({
  digest: text({ description: 'SHA-256 of the content, in hex' }),
  fileName: text(),
  mediaType: oneOf(MEDIA_TYPES),
  size: number({ description: 'bytes' }),
  attachedAt: instant(),
  url: text({ description: 'path of the content on this server' }),
}) {}

export class AttachmentList extends shape({ data: many(AttachmentDto, { maxItems: MAX_ATTACHMENTS }) }) {}
