import { field, shape } from '../../../foundation/http/shape.js';
import { MAX_DOCUMENTS } from '../journal/domain/place-documents.js';
import { text } from '../http/field.js';

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

export class AttachQuery extends shape({
  /** As shown to people, with its extension. */
  fileName: text(),
}) {}

export class StoredDocumentDto extends shape({
  digest: field.text('SHA-256 of the content, in hex; a posting group names the document by it'),
  mediaType: field.oneOf(MEDIA_TYPES),
  size: field.number('bytes'),
}) {}

export class AttachmentDto extends shape({
  digest: field.text('SHA-256 of the content, in hex'),
  fileName: field.text(),
  mediaType: field.oneOf(MEDIA_TYPES),
  size: field.number('bytes'),
  attachedAt: field.instantText(),
  url: field.text('path of the content on this server'),
}) {}

export class AttachmentList extends shape({ data: field.many(AttachmentDto, { maxItems: MAX_ATTACHMENTS }) }) {}
