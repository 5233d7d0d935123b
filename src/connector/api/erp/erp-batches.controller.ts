import { Controller, Get, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { HandOutBatches, NoBatches } from '../../erp-connections/hand-out-batches.js';
import type { ErpBatch } from '../../erp/kit/erp-batches.js';
import { Download, Rows, type RowCount } from '../downloads/download.interceptor.js';
import { DownloadLimiter } from '../downloads/download-limiter.js';
import { fileDownload } from '../downloads/file-download.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { PageQuery } from '../http/page.dto.js';
import { NUMBER, PagedList } from '../http/page.js';
import { Caller, type Principal } from '../http/principal.js';
import { notFound, problem } from '../http/problems.js';
import { ClosedErpBatchesResponse, ErpBatchPage, type ErpBatchResponse } from './erp-batches.dto.js';

const BATCHES = new PagedList({ number: NUMBER });

@ApiTags('ERP connection')
@ApiConflictResponse({ description: 'the connected accounting system takes no files, or none is connected' })
@Controller('api/v1/erp-batches')
export class ErpBatchesController {
  constructor(
    private readonly handOutBatches: HandOutBatches,
    private readonly downloadLimiter: DownloadLimiter,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List files for the accounting system',
    description:
      'Files of journal entries for an accounting system that reads files, oldest first. Each entry is in exactly one.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: ErpBatchPage })
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<ErpBatchPage> {
    const { data, nextCursor } = await BATCHES.page(query, (after, limit) =>
      ofFiles(this.handOutBatches.list(installationId, after?.number ?? 0, limit)),
    );
    return { data: data.map(batchOf), nextCursor };
  }

  @Post()
  @ApiOperation({
    summary: 'Make the next files',
    description: 'Puts the entries that no file has yet into the next ones.',
  })
  @Access('bookkeeper')
  @Idempotent()
  @ApiCreatedResponse({ type: ClosedErpBatchesResponse })
  async close(@Caller() { installationId }: Principal): Promise<ClosedErpBatchesResponse> {
    const closed = await ofFiles(this.handOutBatches.close(installationId));
    if (closed.outcome === 'refused') {
      throw problem('batch-refused', message('problem.batch-refused.detail', { reason: closed.message }));
    }
    return { data: closed.batches.map(batchOf) };
  }

  @Get(':number')
  @ApiOperation({ summary: 'Download a file', description: 'The file itself; the same bytes at each download.' })
  @Download()
  @Access('viewer')
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiNotFoundResponse({ description: 'there is no such batch' })
  async download(
    @Caller() caller: Principal,
    @Param('number') text: string,
    @Rows() rows: RowCount,
  ): Promise<StreamableFile> {
    const number = NUMBER.parse(text);
    return this.downloadLimiter.withLimit(caller.installationId, async () => {
      const file =
        number === undefined ? undefined : await ofFiles(this.handOutBatches.read(caller.installationId, number));
      if (file === undefined) {
        throw notFound(message('problem.not-found.batch'));
      }
      rows.count = file.batch.entryCount;
      return fileDownload(file.content, { name: file.batch.fileName, type: file.batch.mediaType });
    });
  }
}

async function ofFiles<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NoBatches) {
      throw problem('erp-takes-no-files', message('problem.erp-takes-no-files.detail'));
    }
    throw error;
  }
}

function batchOf({ number, fileName, entryCount: entries, sha256, closedAt }: ErpBatch): ErpBatchResponse {
  return { number, fileName, entries, sha256, closedAt };
}
