import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toAccountingEntryId, type AccountingEntryId } from '../../../kernel/ids.js';
import { formatMinor } from '../../../kernel/money.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { moneyOf } from '../http/money.dto.js';
import { PageQuery } from '../http/page.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { ResolutionRequest, InDoubtPostingsResponse, type InDoubtPostingResponse } from './in-doubt-postings.dto.js';
import { entryNotFound, RESOLVE_IN_DOUBT_POSTING, successOf } from '../http/outcome-problems.js';
import { INSTANT, PagedList, textKey, UUID } from '../http/page.js';
import { InDoubtPostingReader } from '../../exports/in-doubt/in-doubt-posting.reader.js';
import { ResolveInDoubtPosting } from '../../exports/in-doubt/resolve-in-doubt-posting.js';

type Listed = Awaited<ReturnType<InDoubtPostingReader['list']>>[number];

const IN_DOUBT_POSTINGS = new PagedList({
  createdAt: INSTANT,
  accountingEntryId: UUID,
  erpCompanyId: textKey(/^.{1,255}$/s),
});
const MAX_LINES = 50;

@ApiTags('In-doubt postings')
@Controller('api/v1/in-doubt-postings')
export class InDoubtPostingsController {
  constructor(
    private readonly inDoubtPostingReader: InDoubtPostingReader,
    private readonly resolveInDoubtPosting: ResolveInDoubtPosting,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List postings of unknown outcome',
    description: 'Postings that were sent to the ERP and whose outcome is unknown, oldest first.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: InDoubtPostingsResponse })
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<InDoubtPostingsResponse> {
    const { data, nextCursor } = await IN_DOUBT_POSTINGS.page(query, (after, limit) =>
      this.inDoubtPostingReader.list(installationId, after, limit),
    );
    return {
      data: data.map(toResponse),
      nextCursor,
    };
  }

  @Post(':accountingEntryId/resolution')
  @ApiOperation({
    summary: 'Record the outcome of a posting',
    description:
      'Records the outcome of such a posting, as found in the ERP. The next export of the entry posts it again, or reports the id given here. "not-in-the-books" is verified where the ERP can be searched.',
  })
  @Idempotent()
  @HttpCode(204)
  @Access('bookkeeper')
  @RecentSignIn()
  @ApiNoContentResponse()
  async resolve(
    @Caller() caller: Principal,
    @Param('accountingEntryId') id: string,
    @Body() body: ResolutionRequest,
  ): Promise<void> {
    const { outcome, externalId = '', externalUrl, note, erpCompanyId } = body;
    const resolved = await this.resolveInDoubtPosting.resolve(
      caller.installationId,
      entryIdOf(id),
      erpCompanyId,
      outcome === 'in-the-books' ? { outcome, externalId, externalUrl, note } : { outcome, note },
      caller.name,
    );
    successOf({ outcome: resolved }, ['resolved'], RESOLVE_IN_DOUBT_POSTING);
  }
}

function toResponse(posting: Listed): InDoubtPostingResponse {
  const { accountingEntryId, exportJobId, erpCompanyId, sentAt, entries } = posting;
  return {
    accountingEntryId,
    reference: accountingEntryId,
    exportJobId,
    erpCompanyId,
    sentAt,
    entries: entries.map(({ role, postingDate, currency, lines }) => ({
      role,
      postingDate,
      currency,
      lines: lines.slice(0, MAX_LINES).map(({ account, amountMinor }) => ({
        accountCode: account.code,
        amount: formatMinor(BigInt(amountMinor), currency),
        money: moneyOf(amountMinor, currency),
      })),
      lineCount: lines.length,
    })),
  };
}

function entryIdOf(text: string): AccountingEntryId {
  if (!isUuid(text)) {
    throw entryNotFound();
  }
  return toAccountingEntryId(text);
}
