import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, type InstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { MAX_ISSUE_KEY_LENGTH } from '../../bookkeeping/item/issues.js';
import type { ReexportView } from '../../exports/reexport/reexport.repository.js';
import { InboxReader } from '../../exports/issues/inbox.reader.js';
import { ReexportReader } from '../../exports/reexport/reexport.reader.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import type { ResolutionProblem } from '../../review/apply-resolution.js';
import { HandleIssue } from '../../review/handle-issue.js';
import { IssueReader, type IssueDetail } from '../../review/issue.reader.js';
import { ResolveIssues } from '../../review/resolve-issues.js';
import { ResolveIssue, type IssueResolution } from '../../review/resolve-issue.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import {
  RESOLUTION_EXAMPLES,
  IssueResolutionResponse,
  IssueResolutionRequest,
  IssueResolutionsRequest,
  IssueResolutionsResponse,
  ReexportResponse,
  toReexportResponse,
} from './issue-resolutions.dto.js';
import {
  FailedEntriesResponse,
  IssueFilterQuery,
  IssueDetailResponse,
  IssueHandlingRequest,
  IssueTotalsResponse,
  IssuesQuery,
  IssuesResponse,
  toFailedEntryResponse,
  toIssueResponse,
  toIssueTotals,
} from './issues.dto.js';
import { LongPageQuery } from '../http/page.dto.js';
import { staleVersion } from '../http/if-match.js';
import { issueNotFound, successOf } from '../http/outcome-problems.js';
import { PagedList, textKey, UUID } from '../http/page.js';
import { notFound, problem, worded } from '../http/problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';

const ISSUE_KEY = /^[a-z-]{1,30}(?::[A-Za-z0-9._~-]{1,200}){1,2}$/;
const RANK = textKey(/^-?\d{1,40}$/);
const ISSUES = new PagedList({ rank: RANK, key: textKey(ISSUE_KEY) });
const FAILED_ENTRIES = new PagedList({ accountingEntryId: UUID });

const resolutionProblems = (language: string) => ({
  unknown: issueNotFound,
  closed: () => problem('issue-closed', message('problem.issue-closed.detail')),
  'in-progress': ({ reexport }: { readonly reexport: ReexportView }) =>
    problem('resolution-in-progress', message('problem.resolution-in-progress.detail'), {
      members: { reexport: toReexportResponse(reexport, language) },
    }),
  refused: ({ problems }: { readonly problems: readonly ResolutionProblem[] }) => {
    const errors = problems.map(({ pointer, code, detail }) => ({ pointer, code, ...worded(detail) }));
    const detail = message('problem.invalid-resolution.detail');
    return problem('invalid-resolution', detail, { errors });
  },
  stale: staleVersion,
});

@ApiTags('Issues')
@Controller('api/v1')
export class IssuesController {
  constructor(
    private readonly inboxReader: InboxReader,
    private readonly issueReader: IssueReader,
    private readonly resolveIssue: ResolveIssue,
    private readonly reexportReader: ReexportReader,
    private readonly handleIssue: HandleIssue,
    private readonly resolveIssues: ResolveIssues,
  ) {}

  @Get('issues')
  @ApiOperation({
    summary: 'List issues',
    description:
      'What blocks entries from being exported: one issue per reason, however many entries it blocks. Searched, filtered and sorted.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: IssuesResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: IssuesQuery,
    @ReaderLanguage() language: string,
  ): Promise<IssuesResponse> {
    const { data, nextCursor } = await ISSUES.page(query, (after, limit) =>
      this.inboxReader.list(installationId, query.state, after, limit, query),
    );
    return { data: data.map((row) => toIssueResponse(row, language)), nextCursor };
  }

  @Get('issues/totals')
  @ApiOperation({
    summary: 'Add up issues',
    description: 'How many issues there are of a filter, and the sums of what they block, by currency.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: IssueTotalsResponse })
  async totals(
    @Caller() { installationId }: Principal,
    @Query() query: IssueFilterQuery,
  ): Promise<IssueTotalsResponse> {
    return toIssueTotals(await this.inboxReader.totals(installationId, query.state, query));
  }

  @Get('issues/:issueKey')
  @ApiOperation({
    summary: 'Read an issue',
    description: 'What blocks entries and what resolves it, with its latest re-export.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: IssueDetailResponse })
  async read(
    @Caller() { installationId }: Principal,
    @Param('issueKey') text: string,
    @ReaderLanguage() language: string,
  ): Promise<IssueDetailResponse> {
    return toDetail(await this.find(installationId, text), language);
  }

  @Get('issues/:issueKey/entries')
  @ApiOperation({
    summary: 'List the entries of an issue',
    description: 'The entries that it blocks or has blocked, with the job that cleared each.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: FailedEntriesResponse })
  async failedEntries(
    @Caller() caller: Principal,
    @Param('issueKey') text: string,
    @Query() query: LongPageQuery,
  ): Promise<FailedEntriesResponse> {
    await this.find(caller.installationId, text);
    const { data, nextCursor } = await FAILED_ENTRIES.page(query, (after, limit) =>
      this.issueReader.entries(caller.installationId, text, after?.accountingEntryId, limit),
    );
    return { data: data.map(toFailedEntryResponse), nextCursor };
  }

  @Put('issues/:issueKey/handling')
  @ApiOperation({
    summary: 'Note how an issue is handled',
    description:
      'Who takes care of it, a note, the day until which it waits, and whether its entries were booked by hand. What is left out stays as it is, so no `If-Match` is needed. Nothing is exported. An entry that was booked by hand is not posted by a later export: it fails with that reason until this is taken back.',
  })
  @Access('bookkeeper')
  @ApiOkResponse({ type: IssueDetailResponse })
  async handle(
    @Caller() { installationId }: Principal,
    @Param('issueKey') text: string,
    @Body() { assignee, note, snoozedUntil, bookedByHand }: IssueHandlingRequest,
    @ReaderLanguage() language: string,
  ): Promise<IssueDetailResponse> {
    const handling = { assignee, note, snoozedUntil, bookedByHand };
    successOf(await this.handleIssue.handle(installationId, issueKeyOf(text), handling), ['handled'], {
      unknown: issueNotFound,
    });
    return toDetail(await this.find(installationId, text), language);
  }

  @Post('issues/resolutions')
  @ApiOperation({
    summary: 'Resolve several issues',
    description:
      'Of issues that were resolved in the accounting system or on the platform: exports their blocked entries again. Each on its own; the response says what became of it.',
  })
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @RecentSignIn()
  @ApiAcceptedResponse({ type: IssueResolutionsResponse })
  async resolveSeveral(
    @Caller() { installationId, name }: Principal,
    @Body() { issueKeys }: IssueResolutionsRequest,
    @ReaderLanguage() language: string,
  ): Promise<IssueResolutionsResponse> {
    const resolved = await this.resolveIssues.resolveAll(installationId, issueKeys, name);
    return {
      data: resolved.map(({ key, result }) => ({
        issueKey: key,
        outcome: result.outcome === 'stale' ? 'refused' : result.outcome,
        reexport: 'reexport' in result ? toReexportResponse(result.reexport, language) : null,
      })),
    };
  }

  @Post('issues/:issueKey/resolution')
  @ApiOperation({
    summary: 'Resolve an issue',
    description:
      'Changes the mapping where that resolves the issue, and exports its blocked entries again, in a new export job on the platform. The issue closes when the entries are exported.',
  })
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @RecentSignIn()
  @ApiBody({ type: IssueResolutionRequest, examples: RESOLUTION_EXAMPLES })
  @ApiAcceptedResponse({ type: IssueResolutionResponse })
  async resolve(
    @Caller() { installationId, role, name }: Principal,
    @Param('issueKey') text: string,
    @Body() body: IssueResolutionRequest,
    @ReaderLanguage() language: string,
  ): Promise<IssueResolutionResponse> {
    if (body.setting !== undefined && role !== 'admin') {
      throw problem('forbidden', message('problem.forbidden.settings'));
    }
    const resolution = requestedResolutionOf(body);
    const { mappingVersion, reexport } = successOf(
      await this.resolveIssue.resolve(installationId, issueKeyOf(text), resolution, name),
      ['resolved'],
      resolutionProblems(language),
    );
    return { mappingVersion: mappingVersion ?? null, reexport: toReexportResponse(reexport, language) };
  }

  @Get('reexports/:id')
  @ApiOperation({ summary: 'Read a re-export', description: 'The progress of a re-export.' })
  @Access('viewer')
  @ApiOkResponse({ type: ReexportResponse })
  async reexport(
    @Caller() { installationId }: Principal,
    @Param('id') id: string,
    @ReaderLanguage() language: string,
  ): Promise<ReexportResponse> {
    const found = isUuid(id) ? await this.reexportReader.find(installationId, id) : undefined;
    if (found === undefined) {
      throw notFound(message('problem.not-found.reexport'));
    }
    return toReexportResponse(found, language);
  }

  private async find(installationId: InstallationId, text: string) {
    const found = await this.issueReader.find(installationId, issueKeyOf(text));
    if (found === undefined) {
      throw issueNotFound();
    }
    return found;
  }
}

function requestedResolutionOf({ rule, setting }: IssueResolutionRequest): IssueResolution {
  if (rule !== undefined && setting !== undefined) {
    throw problem('invalid-resolution', message('problem.invalid-resolution.choose'));
  }
  if (rule !== undefined) return { rule };
  return setting === undefined ? 'outside' : { account: setting.account };
}

function toDetail({ row, latestReexport }: IssueDetail, language: string): IssueDetailResponse {
  return Object.assign(toIssueResponse(row, language), {
    latestReexport: latestReexport ? toReexportResponse(latestReexport, language) : null,
  });
}

function issueKeyOf(text: string): string {
  if (text.length > MAX_ISSUE_KEY_LENGTH || !ISSUE_KEY.test(text)) {
    throw issueNotFound();
  }
  return text;
}
