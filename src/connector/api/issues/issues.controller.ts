import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { MAX_ISSUE_KEY_LENGTH } from '../../bookkeeping/item/issues.js';
import { InboxService, type FixedCause, type Mend } from '../../review/inbox.service.js';
import { decodeCursor, encodeCursor, UUID } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import {
  FailedEntriesResponse,
  RESOLUTION_EXAMPLES,
  IssueResolutionResponse,
  IssueResolutionRequest,
  IssueDetailResponse,
  IssuesQuery,
  IssuesResponse,
  ReexportResponse,
  toFailedEntryResponse,
  toReexportResponse,
  toIssueResponse,
} from './issues.dto.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import { staleVersion } from '../mapping/mapping-preconditions.js';
import { Caller, type Principal } from '../http/principal.js';
import { mapErpErrors } from '../http/erp-problems.js';

const COUNT = /^\d{1,9}$/;
const ISSUE_KEY = /^[a-z-]{1,30}(?::[A-Za-z0-9._~-]{1,200}){1,2}$/;

@ApiTags('Issues')
@ApiBearerAuth()
@Controller('api/v1')
export class IssuesController {
  constructor(private readonly inboxService: InboxService) {}

  /** What has to be mended before more can be exported: one row per cause, however many entries it blocks. */
  @Get('issues')
  @Access('viewer')
  @ApiOkResponse({ type: IssuesResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() { state, limit, after }: IssuesQuery,
  ): Promise<IssuesResponse> {
    const [entries, key] = after === undefined ? [] : decodeCursor(after, [COUNT, ISSUE_KEY]);
    const position =
      entries === undefined || key === undefined ? undefined : { entries: Number(entries), key };
    const rows = await this.inboxService.list(installationId, state, position, limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map(toIssueResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.entries, last.key]),
    };
  }

  @Get('issues/:issueKey')
  @Access('viewer')
  @ApiOkResponse({ type: IssueDetailResponse })
  async read(
    @Caller() { installationId }: Principal,
    @Param('issueKey') text: string,
  ): Promise<IssueDetailResponse> {
    const found = await this.inboxService.find(installationId, issueKeyOf(text));
    if (found === undefined) {
      throw unknownIssue();
    }
    const { row, latestReexport } = found;
    return Object.assign(toIssueResponse(row), {
      latestReexport: latestReexport ? toReexportResponse(latestReexport) : null,
    });
  }

  /** The entries that it blocks or has blocked, with what has cleared them. */
  @Get('issues/:issueKey/entries')
  @Access('viewer')
  @ApiOkResponse({ type: FailedEntriesResponse })
  async failedEntries(
    @Caller() caller: Principal,
    @Param('issueKey') text: string,
    @Query() { limit, after }: PageQuery,
  ): Promise<FailedEntriesResponse> {
    await this.read(caller, text);
    const [afterId] = after === undefined ? [] : decodeCursor(after, [UUID]);
    if (afterId !== undefined && !isUuid(afterId)) {
      throw new Problem({
        status: 400,
        type: 'invalid-cursor',
        detail: 'The cursor "after" is none of this list.',
      });
    }
    const rows = await this.inboxService.entries(caller.installationId, text, afterId, limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map(toFailedEntryResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.accountingEntryId]),
    };
  }

  /**
   * Mends the mapping where that helps, and exports again everything that is blocked, in a new export job on the platform.
   * The row closes by itself when the entries are exported.
   */
  @Post('issues/:issueKey/resolution')
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @ApiBody({ type: IssueResolutionRequest, examples: RESOLUTION_EXAMPLES })
  @ApiAcceptedResponse({ type: IssueResolutionResponse })
  async resolve(
    @Caller() { installationId, role, name }: Principal,
    @Param('issueKey') text: string,
    @Body() body: IssueResolutionRequest,
  ): Promise<IssueResolutionResponse> {
    if (body.setting !== undefined && role !== 'admin') {
      throw new Problem({
        status: 403,
        type: 'forbidden',
        detail: 'Settings are for administrators to change.',
      });
    }
    const fixed = await mapErpErrors(
      this.inboxService.resolve(installationId, issueKeyOf(text), requestedResolutionOf(body), name),
    );
    return toIssueResolutionResponse(fixed);
  }

  /** How far an export is that was asked for here. */
  @Get('reexports/:id')
  @Access('viewer')
  @ApiOkResponse({ type: ReexportResponse })
  async reexport(
    @Caller() { installationId }: Principal,
    @Param('id') id: string,
  ): Promise<ReexportResponse> {
    const found = isUuid(id) ? await this.inboxService.reexport(installationId, id) : undefined;
    if (found === undefined) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such re-export.' });
    }
    return toReexportResponse(found);
  }
}

function requestedResolutionOf({ rule, setting }: IssueResolutionRequest): Mend {
  if (rule !== undefined && setting !== undefined) {
    const detail = 'Send either "rule" or "setting": a cause is mended by one of them.';
    throw new Problem({ status: 422, type: 'invalid-resolution', detail });
  }
  if (rule !== undefined) return { rule };
  return setting === undefined ? 'elsewhere' : { account: setting.account };
}

function toIssueResolutionResponse(fixed: FixedCause): IssueResolutionResponse {
  switch (fixed.outcome) {
    case 'fixed':
      return { mappingVersion: fixed.mappingVersion ?? null, reexport: toReexportResponse(fixed.reexport) };
    case 'unknown':
      throw unknownIssue();
    case 'closed':
      throw new Problem({
        status: 409,
        type: 'issue-closed',
        detail: 'Nothing is blocked by this any more.',
      });
    case 'in-progress':
      throw new Problem({
        status: 409,
        type: 'resolution-in-progress',
        detail: 'What it blocks is being exported already: wait for that to end.',
        members: { reexport: toReexportResponse(fixed.reexport) },
      });
    case 'refused': {
      const errors = fixed.problems.map(({ field, code, detail }) => ({
        pointer: field === undefined ? '' : `/rule/${field}`,
        code,
        detail,
      }));
      const detail = 'It cannot be mended so; "errors" says why. Nothing was changed.';
      throw new Problem({ status: 422, type: 'invalid-resolution', detail, members: { errors } });
    }
    case 'stale':
      throw staleVersion();
  }
}

/** What is no key gets the same answer as one that does not exist. */
function issueKeyOf(text: string): string {
  if (text.length > MAX_ISSUE_KEY_LENGTH || !ISSUE_KEY.test(text)) {
    throw unknownIssue();
  }
  return text;
}

function unknownIssue(): Problem {
  return new Problem({ status: 404, type: 'not-found', detail: 'There is no such cause.' });
}
