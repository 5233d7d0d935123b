import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem, type InvalidValue } from '../../../foundation/http/problem.js';
import { isUuid, toExportJobId } from '../../../kernel/ids.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import { exportItemSchema } from '../../platform/export-item.schema.js';
import { numbersAsTexts } from '../../review/domain/provided-items.js';
import {
  PreviewsService,
  type CommittedPreview,
  type Preview,
  type PreviewRequest,
} from '../../review/previews.service.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { toReexportResponse } from '../issues/issues.dto.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import { unknownVersion } from '../mapping/mapping-preconditions.js';
import { parseRuleChanges } from '../mapping/mapping-rule-requests.js';
import { Caller, type Principal } from '../http/principal.js';
import {
  CommitRequest,
  CommittedResponse,
  PREVIEW_EXAMPLES,
  PreviewEntriesResponse,
  PreviewRequestBody,
  PreviewResponse,
  toPreviewEntryResponse,
  toPreviewResponse,
} from './previews.dto.js';
import { mapPlatformErrors } from '../http/platform-problems.js';
import { mapErpErrors } from '../http/erp-problems.js';

const POSITION = /^\d{1,9}$/;
const MAX_CHANGES = 100;

@ApiTags('Previews')
@ApiBearerAuth()
@Controller('api/v1/previews')
export class PreviewsController {
  constructor(private readonly previewsService: PreviewsService) {}

  /** Plans a job or items against a mapping, without any effect. What it says is kept for a day. */
  @Post()
  @InteractivePlatformRequest()
  @Idempotent()
  @Access('bookkeeper')
  @ApiBody({ type: PreviewRequestBody, examples: PREVIEW_EXAMPLES })
  @ApiCreatedResponse({ type: PreviewResponse })
  async make(
    @Caller() { installationId, name }: Principal,
    @Body() body: PreviewRequestBody,
  ): Promise<PreviewResponse> {
    const made = await mapPlatformErrors(
      mapErpErrors(this.previewsService.make(installationId, requestOf(body, name))),
    );
    switch (made.outcome) {
      case 'made':
        return toPreviewResponse(made.preview);
      case 'unknown-job':
        throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such export job.' });
      case 'unknown-version':
        throw unknownVersion();
      case 'setup-incomplete': {
        const detail =
          'Save the settings and link a company of the accounting system first: GET /api/v1/setup says how.';
        throw new Problem({ status: 409, type: 'setup-incomplete', detail });
      }
    }
  }

  @Get(':id')
  @Access('viewer')
  @ApiOkResponse({ type: PreviewResponse })
  async read(@Caller() caller: Principal, @Param('id') id: string): Promise<PreviewResponse> {
    return toPreviewResponse(await this.find(caller, id));
  }

  /** What each item would become: every line, what decided it, and the difference to the books. */
  @Get(':id/entries')
  @Access('viewer')
  @ApiOkResponse({ type: PreviewEntriesResponse })
  async entries(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() { limit, after }: PageQuery,
  ): Promise<PreviewEntriesResponse> {
    await this.find(caller, id);
    const [position] = after === undefined ? ['0'] : decodeCursor(after, [POSITION]);
    const found = await this.previewsService.entries(caller.installationId, id, Number(position), limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map(toPreviewEntryResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.position]),
    };
  }

  /** Posts exactly what was previewed, through a new export job on the platform; or says what has changed since. */
  @Post(':id/commit')
  @InteractivePlatformRequest()
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @ApiAcceptedResponse({ type: CommittedResponse })
  async commit(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { digest }: CommitRequest,
  ): Promise<CommittedResponse> {
    await this.find(caller, id);
    const { installationId, name } = caller;
    return toCommitted(
      await mapPlatformErrors(mapErpErrors(this.previewsService.commit(installationId, id, digest, name))),
    );
  }

  /** An id that is none and one of somebody else get the same answer as one that does not exist. */
  private async find({ installationId }: Principal, id: string): Promise<Preview> {
    const found = isUuid(id) ? await this.previewsService.find(installationId, id) : undefined;
    if (found === undefined) {
      throw unknownPreview();
    }
    return found;
  }
}

function toCommitted(committed: CommittedPreview): CommittedResponse {
  switch (committed.outcome) {
    case 'committed':
      return { reexport: toReexportResponse(committed.reexport) };
    case 'unknown':
      throw unknownPreview();
    case 'changed': {
      const { changes } = committed;
      const members = { changes: changes.slice(0, MAX_CHANGES), moreChanges: changes.length > MAX_CHANGES };
      const detail =
        'Something has changed since this was previewed, so nothing was posted; "changes" says what. Preview it again.';
      throw new Problem({ status: 409, type: 'preview-outdated', detail, members });
    }
    case 'unsaved':
      throw conflict('preview-unsaved', 'Its rules are saved in no version: save them, then preview again.');
    case 'other-digest':
      throw conflict('other-digest', 'The digest is not the one of this preview: read it again.');
    case 'nothing-to-post':
      throw conflict(
        'nothing-to-post',
        'Nothing of it would be posted: it fails, or is in the books already.',
      );
    case 'job-running':
      throw conflict('job-running', 'Its export job is running: wait for its end, then preview it again.');
  }
}

function requestOf(body: PreviewRequestBody, by: string): PreviewRequest {
  const { jobId, items, rules, skip, limit } = body;
  if ((jobId === undefined) === (items === undefined)) {
    const detail = 'Send either "jobId" or "items".';
    throw new Problem({ status: 422, type: 'invalid-preview', detail });
  }
  return {
    of:
      jobId === undefined ? { items: readItems(items ?? []) } : { jobId: toExportJobId(jobId), skip, limit },
    mappingVersion: body.mappingVersion,
    rules: rules && parseRuleChanges({ upserts: rules, deletes: [] }).map(({ rule }) => rule),
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
    const detail = 'Some items are not what the platform sends.';
    throw new Problem({ status: 422, type: 'invalid-preview', detail, errors: errors.slice(0, 100) });
  }
  return read;
}

function unknownPreview(): Problem {
  const detail = 'There is no such preview; they are kept for a day.';
  return new Problem({ status: 404, type: 'not-found', detail });
}

function conflict(type: string, detail: string): Problem {
  return new Problem({ status: 409, type, detail });
}
