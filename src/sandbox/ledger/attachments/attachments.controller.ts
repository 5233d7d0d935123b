import {
  Controller,
  Get,
  Param,
  ParseUUIDPipe,
  Post,
  Query,
  Req,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { CompanyGuard } from '../access/company.guard.js';
import { AttachDocument, entryNotFound } from './attach-document.js';
import {
  AttachmentDto,
  AttachmentList,
  AttachQuery,
  MAX_ATTACHMENT_BYTES,
  MEDIA_TYPES,
  StoredDocumentDto,
} from './attachment.dto.js';
import { AttachmentRepository, type AttachmentContent } from './attachment.repository.js';
import { StoreDocument } from './store-document.js';

const DOCUMENT = { schema: { type: 'string', format: 'binary', maxLength: MAX_ATTACHMENT_BYTES } } as const;

@ApiTags('attachments')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId')
export class AttachmentsController {
  constructor(
    private readonly database: Database,
    private readonly attachmentRepository: AttachmentRepository,
    private readonly attachDocument: AttachDocument,
    private readonly storeDocument: StoreDocument,
  ) {}

  /** Kept for 30 days, and for ever once a posting group or the route below has put it behind an entry. */
  @Post('attachments')
  @ApiConsumes(...MEDIA_TYPES)
  @ApiBody(DOCUMENT)
  @ApiCreatedResponse({ type: StoredDocumentDto, description: 'The same bytes again are the same document.' })
  async store(
    @Param('companyId') companyId: string,
    @Req() request: FastifyRequest,
  ): Promise<StoredDocumentDto> {
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
    const data = await this.database.inTransaction('attachments.list', async (tx) => {
      if (!(await this.attachmentRepository.hasEntry(tx, companyId, entryId))) {
        throw entryNotFound(entryId);
      }
      return this.attachmentRepository.ofEntry(tx, companyId, entryId);
    });
    return { data };
  }

  /** The bytes as they were sent, never to be shown as a page of this server. */
  @Get('attachments/:digest')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  async content(
    @Param('companyId') companyId: string,
    @Param('digest') digest: string,
  ): Promise<StreamableFile> {
    const found = /^[0-9a-f]{64}$/.test(digest)
      ? await this.database.inTransaction('attachments.find', (tx) =>
          this.attachmentRepository.find(tx, companyId, digest),
        )
      : undefined;
    if (found === undefined) {
      const detail = `The company has no attachment ${digest}.`;
      throw new Problem({ status: 404, type: 'attachment-not-found', detail });
    }
    return new StreamableFile(found.content, {
      type: found.mediaType,
      disposition: 'attachment',
      length: found.content.length,
    });
  }
}

/** @throws Problem 400 when the body is no document */
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
