import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid, toAccountingEntryId, type AccountingEntryId } from '../../../kernel/ids.js';
import { formatMinor } from '../../../kernel/money.js';
import { decodeCursor, encodeCursor, INSTANT, UUID } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import {
  ResolutionRequest,
  InDoubtPostingsResponse,
  type InDoubtPostingResponse,
} from './in-doubt-postings.dto.js';
import { mapErpErrors } from '../http/erp-problems.js';
import { ErpLedger } from '../../erp/erp-ledger.js';
import { InDoubtPostingReader } from '../../exports/in-doubt/in-doubt-posting.reader.js';
import { ResolveInDoubtPosting } from '../../exports/in-doubt/resolve-in-doubt-posting.js';

type Listed = Awaited<ReturnType<InDoubtPostingReader['list']>>[number];

const ERP_COMPANY = /^.{1,255}$/s;
const MAX_LINES = 50;

@ApiTags('Uncertain postings')
@ApiBearerAuth()
@Controller('api/v1/in-doubt-postings')
export class InDoubtPostingsController {
  constructor(
    private readonly inDoubtPostingReader: InDoubtPostingReader,
    private readonly resolveInDoubtPosting: ResolveInDoubtPosting,
    private readonly erpLedger: ErpLedger,
  ) {}

  /** What was sent to the ERP and may or may not be in its books, oldest first. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: InDoubtPostingsResponse })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<InDoubtPostingsResponse> {
    const after = query.after === undefined ? undefined : positionOf(query.after);
    const postings = await this.inDoubtPostingReader.list(caller.installationId, after, query.limit + 1);
    const page = postings.slice(0, query.limit);
    const last = postings.length > query.limit ? page.at(-1) : undefined;
    return {
      erpCapability: this.erpLedger.capability.level,
      data: page.map(toResponse),
      nextCursor:
        last === undefined
          ? null
          : encodeCursor([last.createdAt.toISOString(), last.accountingEntryId, last.erpCompanyId]),
    };
  }

  /**
   * Says what became of such a posting, after a look into the ERP. The next export of the entry posts it again, or reports
   * the id that is given here. An ERP that can be searched is asked before "not-in-the-books" is believed.
   */
  @Post(':accountingEntryId/resolution')
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
    const resolved = await mapErpErrors(
      this.resolveInDoubtPosting.resolve(
        caller.installationId,
        entryIdOf(id),
        erpCompanyId,
        outcome === 'in-the-books' ? { outcome, externalId, externalUrl, note } : { outcome, note },
        caller.name,
      ),
    );
    switch (resolved) {
      case 'resolved':
        return;
      case 'unknown':
        throw unknownEntry();
      case 'certain':
        throw conflict('not-in-doubt', 'What became of this entry is known; there is nothing to resolve.');
      case 'several':
        throw conflict(
          'several-companies',
          'This entry is uncertain in more than one ERP company. Say in "erpCompanyId" where you have looked.',
        );
      case 'there':
        throw conflict(
          'entry-still-in-erp',
          'The accounting system shows an entry with this reference. Look for it again, and give its id with "in-the-books".',
        );
    }
  }
}

function positionOf(cursor: string) {
  const [createdAt = '', accountingEntryId = '', erpCompanyId = ''] = decodeCursor(cursor, [
    INSTANT,
    UUID,
    ERP_COMPANY,
  ]);
  return { createdAt: new Date(createdAt), accountingEntryId, erpCompanyId };
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
      })),
      lineCount: lines.length,
    })),
  };
}

/** An id that is none and one of somebody else get the same answer as one that does not exist. */
function entryIdOf(text: string): AccountingEntryId {
  if (!isUuid(text)) {
    throw unknownEntry();
  }
  return toAccountingEntryId(text);
}

function unknownEntry(): Problem {
  const detail = 'There is no such accounting entry that was sent to the ERP.';
  return new Problem({ status: 404, type: 'not-found', detail });
}

function conflict(type: string, detail: string): Problem {
  return new Problem({ status: 409, type, detail });
}
