import { Readable } from 'node:stream';
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
import type { InstallationId } from '../../../kernel/ids.js';
import type { ErpBatch, ErpBatchReceipts } from '../../erp/kit/erp-batches.js';
import { Download, Rows, type RowCount } from '../downloads/download.interceptor.js';
import { DownloadLimiter } from '../downloads/download-limiter.js';
import { fileDownload } from '../downloads/file-download.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
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
  @ApiOperation({
    summary: 'Download a file',
    description:
      'The file itself, the same bytes at each download: text/csv for CSV and DATEV, text/plain for SIE; each with its character set.',
  })
  @Download()
  @Access('viewer')
  @ApiProduces('text/csv', 'text/plain', 'application/octet-stream')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiNotFoundResponse({ description: 'there is no such batch' })
  async download(
    @Caller() caller: Principal,
    @Param('number') text: string,
    @Rows() rows: RowCount,
  ): Promise<StreamableFile> {
    return this.downloadLimiter.withLimit(caller.installationId, async () => {
      const { batch, content } = await found(text, (number) => this.handOutBatches.read(caller.installationId, number));
      rows.count = batch.entryCount;
      return fileDownload(content, { name: batch.fileName, type: batch.mediaType });
    });
  }

  @Get(':number/receipt-list')
  @ApiOperation({
    summary: 'Download the list of a file’s receipts',
    description: 'CSV: number and key of the entry, document number, name of the receipt in the archive, SHA-256.',
  })
  @Download()
  @Access('viewer')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiNotFoundResponse({ description: 'there is no such batch' })
  async listReceipts(
    @Caller() { installationId }: Principal,
    @Param('number') text: string,
    @Rows() rows: RowCount,
  ): Promise<StreamableFile> {
    return this.downloadLimiter.withLimit(installationId, async () => {
      const { count, list } = await this.receiptsOf(installationId, text);
      rows.count = count;
      return fileDownload(list.content, { name: list.fileName, type: list.mediaType });
    });
  }

  @Get(':number/receipts')
  @ApiOperation({
    summary: 'Download the receipts of a file',
    description: 'All receipts behind its entries in one ZIP archive, byte for byte as they were sent.',
  })
  @Download()
  @Access('viewer')
  @ApiProduces('application/zip')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiNotFoundResponse({ description: 'there is no such batch, or it has no receipts' })
  async downloadReceipts(
    @Caller() { installationId }: Principal,
    @Param('number') text: string,
    @Rows() rows: RowCount,
  ): Promise<StreamableFile> {
    const { count, archive } = await this.receiptsOf(installationId, text);
    if (count === 0) {
      throw notFound(message('problem.not-found.batch-receipts'));
    }
    rows.count = count;
    const stream = this.downloadLimiter.limitStream(installationId, () =>
      Readable.from(archive.open(), { objectMode: false }),
    );
    return fileDownload(stream, { name: archive.fileName, type: archive.mediaType });
  }

  private receiptsOf(installationId: InstallationId, text: string): Promise<ErpBatchReceipts> {
    return found(text, (number) => this.handOutBatches.receipts(installationId, number));
  }
}

/** @throws Problem 404 for what is no number of a batch, 409 where there are no batches */
async function found<T>(text: string, find: (number: number) => Promise<T | undefined>): Promise<T> {
  const number = NUMBER.parse(text);
  const result = number === undefined ? undefined : await ofFiles(find(number));
  if (result === undefined) {
    throw notFound(message('problem.not-found.batch'));
  }
  return result;
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

function batchOf({
  number,
  fileName,
  entryCount: entries,
  receipts = 0,
  sha256,
  closedAt,
}: ErpBatch): ErpBatchResponse {
  return { number, fileName, entries, receipts, sha256, closedAt };
}
