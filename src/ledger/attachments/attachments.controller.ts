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
import { Database } from '../../foundation/database/database.js';
import { Problem } from '../../foundation/http/problem.js';
import { CompanyGuard } from '../access/company.guard.js';
import { AttachDocument, entryNotFound } from './attach-document.js';
import { AttachmentDto, AttachmentList, AttachQuery, MEDIA_TYPES } from './attachment.dto.js';
import { AttachmentRepository } from './attachment.repository.js';

@ApiTags('attachments')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId')
export class AttachmentsController {
  constructor(
    private readonly database: Database,
    private readonly attachments: AttachmentRepository,
    private readonly attachDocument: AttachDocument,
  ) {}

  @Post('journal-entries/:entryId/attachments')
  @ApiConsumes(...MEDIA_TYPES)
  @ApiBody({ schema: { type: 'string', format: 'binary', maxLength: 10_485_760 } })
  @ApiCreatedResponse({ type: AttachmentDto, description: 'The same bytes again are the same attachment.' })
  async attach(
    @Param('companyId') companyId: string,
    @Param('entryId', ParseUUIDPipe) entryId: string,
    @Query() query: AttachQuery,
    @Req() request: FastifyRequest,
  ): Promise<AttachmentDto> {
    const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const { body } = request;
    if (!Buffer.isBuffer(body) || body.length === 0) {
      throw new Problem({
        status: 400,
        type: 'invalid-request',
        detail: `Send the document's bytes as the body, with its media type: ${MEDIA_TYPES.join(', ')}.`,
      });
    }
    return this.attachDocument.run(companyId, entryId, query.fileName, { mediaType, content: body });
  }

  @Get('journal-entries/:entryId/attachments')
  @ApiOkResponse({ type: AttachmentList })
  async list(
    @Param('companyId') companyId: string,
    @Param('entryId', ParseUUIDPipe) entryId: string,
  ): Promise<AttachmentList> {
    const data = await this.database.inTransaction('attachments.list', async (tx) => {
      if (!(await this.attachments.hasEntry(tx, companyId, entryId))) {
        throw entryNotFound(entryId);
      }
      return this.attachments.ofEntry(tx, companyId, entryId);
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
          this.attachments.find(tx, companyId, digest),
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
