import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../http/field.js';
import { MAX_DOCUMENTS } from '../journal/domain/place-documents.js';

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

export class StoredDocumentDto {
  @ApiProperty({
    type: String,
    description: 'SHA-256 of the content, in hex; a posting group names the document by it',
  })
  readonly digest!: string;

  @ApiProperty({ enum: MEDIA_TYPES })
  readonly mediaType!: string;

  @ApiProperty({ type: Number, description: 'bytes' })
  readonly size!: number;
}

export class AttachmentDto {
  @ApiProperty({ type: String, description: 'SHA-256 of the content, in hex' })
  readonly digest!: string;

  @ApiProperty({ type: String })
  readonly fileName!: string;

  @ApiProperty({ enum: MEDIA_TYPES })
  readonly mediaType!: string;

  @ApiProperty({ type: Number, description: 'bytes' })
  readonly size!: number;

  @ApiProperty({ type: String, format: 'date-time' })
  readonly attachedAt!: string;

  @ApiProperty({ type: String, description: 'path of the content on this server' })
  readonly url!: string;
}

export class AttachmentList {
  @ApiProperty({ type: [AttachmentDto], maxItems: MAX_ATTACHMENTS })
  readonly data!: readonly AttachmentDto[];
}
