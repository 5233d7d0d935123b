import { Controller, Get, Param, ParseUUIDPipe, Post, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../../foundation/http/problem.js';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { AttachDocument } from './attach-document.js';
import {
  AttachmentDto,
  AttachmentList,
  AttachQuery,
  MAX_ATTACHMENT_BYTES,
  MEDIA_TYPES,
  StoredDocumentDto,
} from './attachment.dto.js';
import { AttachmentReader } from './attachment.reader.js';
import type { AttachmentContent } from './attachment.repository.js';
import { StoreDocument } from './store-document.js';

const DOCUMENT = { schema: { type: 'string', format: 'binary', maxLength: MAX_ATTACHMENT_BYTES } } as const;

@CompanyRoutes('attachments')
@Controller('companies/:companyId')
export class AttachmentsController {
  constructor(
    private readonly attachmentReader: AttachmentReader,
    private readonly attachDocument: AttachDocument,
    private readonly storeDocument: StoreDocument,
  ) {}

  /** Kept for 30 days, and permanently once a posting group or the route below has attached it to an entry. */
  @Post('attachments')
  @ApiConsumes(...MEDIA_TYPES)
  @ApiBody(DOCUMENT)
  @ApiCreatedResponse({ type: StoredDocumentDto, description: 'The same bytes again are the same document.' })
  async store(@Param('companyId') companyId: string, @Req() request: FastifyRequest): Promise<StoredDocumentDto> {
    return this.storeDocument.storeDocument(companyId, documentOf(request));
  }

  @Post('journal-entries/:entryId/attachments')
  @ApiConsumes(...MEDIA_TYPES)
  @ApiBody(DOCUMENT)
  @ApiCreatedResponse({ type: AttachmentDto, description: 'The same bytes again are the same attachment.' })
  async attach(
    @Param('companyId') companyId: string,
    @Param('entryId', ParseUUIDPipe) entryId: string,
    @Query() query: AttachQuery,
    @Req() request: FastifyRequest,
  ): Promise<AttachmentDto> {
    return this.attachDocument.attach(companyId, entryId, query.fileName, documentOf(request));
  }

  @Get('journal-entries/:entryId/attachments')
  @ApiOkResponse({ type: AttachmentList })
  async list(
    @Param('companyId') companyId: string,
    @Param('entryId', ParseUUIDPipe) entryId: string,
  ): Promise<AttachmentList> {
    return { data: await this.attachmentReader.readList(companyId, entryId) };
  }

  /** The bytes as they were sent, as a download: a browser never renders them as a page of this server. */
  @Get('attachments/:digest')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  async content(@Param('companyId') companyId: string, @Param('digest') digest: string): Promise<StreamableFile> {
    const { content, mediaType } = await this.attachmentReader.readContent(companyId, digest);
    return new StreamableFile(content, {
      type: mediaType,
      disposition: 'attachment',
      length: content.length,
    });
  }
}

/** @throws Problem 400 when the body is empty or its media type is not accepted */
function documentOf(request: FastifyRequest): AttachmentContent {
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new Problem({
      status: 400,
      type: 'invalid-request',
      detail: `Send the document's bytes as the body, with its media type: ${MEDIA_TYPES.join(', ')}.`,
    });
  }
  return { mediaType, content: body };
}
