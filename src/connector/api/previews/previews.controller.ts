import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import type { InvalidValue } from '../../../foundation/http/problem.js';
import { isUuid, toExportJobId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import { exportItemSchema } from '../../platform/export-item.schema.js';
import { numbersAsTexts } from '../../review/domain/provided-items.js';
import { CommitPreview } from '../../review/commit-preview.js';
import { MakePreview, type PreviewRequest } from '../../review/make-preview.js';
import { PreviewReader } from '../../review/preview.reader.js';
import type { Preview } from '../../review/preview.repository.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { toReexportResponse } from '../issues/issue-resolutions.dto.js';
import { COMMIT_PREVIEW, MAKE_PREVIEW, previewNotFound, successOf } from '../http/outcome-problems.js';
import { NUMBER, PagedList } from '../http/page.js';
import { problem } from '../http/problems.js';
import { parseWholeMapping } from '../mapping/mapping-rule-requests.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import {
  CommitRequest,
  CommittedResponse,
  PREVIEW_EXAMPLES,
  PreviewEntriesQuery,
  PreviewEntriesResponse,
  PreviewRequestBody,
  PreviewResponse,
  toPreviewEntryResponse,
  toPreviewResponse,
} from './previews.dto.js';

const ENTRIES = new PagedList({ position: NUMBER });

@ApiTags('Previews')
@Controller('api/v1/previews')
export class PreviewsController {
  constructor(
    private readonly makePreview: MakePreview,
    private readonly commitPreview: CommitPreview,
    private readonly previewReader: PreviewReader,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Make a preview',
    description: 'Plans a job or items against a mapping, without any effect. The preview is stored for a day.',
  })
  @InteractivePlatformRequest()
  @Idempotent()
  @Access('bookkeeper')
  @ApiBody({ type: PreviewRequestBody, examples: PREVIEW_EXAMPLES })
  @ApiCreatedResponse({ type: PreviewResponse })
  async make(
    @Caller() { installationId, name }: Principal,
    @Body() body: PreviewRequestBody,
  ): Promise<PreviewResponse> {
    const made = await this.makePreview.make(installationId, requestOf(body, name));
    const { preview } = successOf(made, ['made'], MAKE_PREVIEW);
    return toPreviewResponse(preview, await this.previewReader.count(installationId, preview.id));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read a preview',
    description: 'What was planned, from which mapping, and until when it is stored.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: PreviewResponse })
  async read(@Caller() caller: Principal, @Param('id') id: string): Promise<PreviewResponse> {
    const preview = await this.find(caller, id);
    return toPreviewResponse(preview, await this.previewReader.count(caller.installationId, id));
  }

  @Get(':id/entries')
  @ApiOperation({
    summary: 'List the entries of a preview',
    description:
      'The planned journal entries of each item: every line, what decided it, and the difference to the books.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: PreviewEntriesResponse })
  async entries(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() { action, ...query }: PreviewEntriesQuery,
    @ReaderLanguage() language: string,
  ): Promise<PreviewEntriesResponse> {
    await this.find(caller, id);
    const { data, nextCursor } = await ENTRIES.page(query, (after, limit) =>
      this.previewReader.listEntries(caller.installationId, id, after?.position ?? 0, limit, action),
    );
    return { data: data.map((entry) => toPreviewEntryResponse(entry, language)), nextCursor };
  }

  @Post(':id/commit')
  @ApiOperation({
    summary: 'Commit a preview',
    description:
      'Posts exactly what was previewed, through a new export job on the platform; 409 with the changes if something changed since.',
  })
  @InteractivePlatformRequest()
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @RecentSignIn()
  @ApiAcceptedResponse({ type: CommittedResponse })
  async commit(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { digest }: CommitRequest,
    @ReaderLanguage() language: string,
  ): Promise<CommittedResponse> {
    await this.find(caller, id);
    const { installationId, name } = caller;
    const committed = await this.commitPreview.commit(installationId, id, digest, name);
    const { reexport } = successOf(committed, ['committed'], COMMIT_PREVIEW);
    return { reexport: toReexportResponse(reexport, language) };
  }

  private async find({ installationId }: Principal, id: string): Promise<Preview> {
    const found = isUuid(id) ? await this.previewReader.find(installationId, id) : undefined;
    if (found === undefined) {
      throw previewNotFound();
    }
    return found;
  }
}

function requestOf(body: PreviewRequestBody, by: string): PreviewRequest {
  const { jobId, items, rules, skip, limit } = body;
  if ((jobId === undefined) === (items === undefined)) {
    throw problem('invalid-preview', message('problem.invalid-preview.choose'));
  }
  return {
    subject: jobId === undefined ? { items: readItems(items ?? []) } : { jobId: toExportJobId(jobId), skip, limit },
    mappingVersion: body.mappingVersion,
    rules: rules && parseWholeMapping(rules),
    by,
  };
}

function readItems(items: readonly object[]): readonly ExportItem[] {
  const errors: InvalidValue[] = [];
  const read = items.flatMap((item, index) => {
    const parsed = exportItemSchema.safeParse(numbersAsTexts(item));
    if (parsed.success) return [parsed.data];
    errors.push(
      ...parsed.error.issues.slice(0, 5).map(({ path, message }) => ({
        pointer: `/items/${[index, ...path].map(String).join('/')}`,
        detail: message,
      })),
    );
    return [];
  });
  const ids = new Set(read.map(({ accountingEntryId }) => accountingEntryId));
  if (errors.length === 0 && ids.size < read.length) {
    errors.push({ pointer: '/items', detail: 'Two items have the same accountingEntryId.' });
  }
  if (errors.length > 0) {
    const detail = message('problem.invalid-preview.detail');
    throw problem('invalid-preview', detail, { errors: errors.slice(0, 100) });
  }
  return read;
}
