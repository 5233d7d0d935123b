import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { LONGEST_CAUSE_KEY } from '../../bookkeeping/item/causes.js';
import { InboxService, type FixedCause, type Mend } from '../../review/inbox.service.js';
import { decodeCursor, encodeCursor, UUID } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import {
  BlockedEntriesResponse,
  FIX_EXAMPLES,
  FixedResponse,
  FixRequest,
  InboxCaseResponse,
  InboxQuery,
  InboxResponse,
  ReexportResponse,
  toEntryResponse,
  toReexportResponse,
  toRowResponse,
} from './inbox.dto.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import { staleVersion } from '../mapping/mapping-preconditions.js';
import { Caller, type Principal } from '../http/principal.js';
import { withErp } from '../http/with-erp.js';

const COUNT = /^\d{1,9}$/;
const CAUSE_KEY = /^[a-z-]{1,30}(?::[A-Za-z0-9._~-]{1,200}){1,2}$/;

@ApiTags('Inbox')
@ApiBearerAuth()
@Controller('api/v1')
export class InboxController {
  constructor(private readonly inbox: InboxService) {}

  /** What has to be mended before more can be exported: one row per cause, however many entries it blocks. */
  @Get('inbox')
  @Access('viewer')
  @ApiOkResponse({ type: InboxResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() { state, limit, after }: InboxQuery,
  ): Promise<InboxResponse> {
    const [entries, key] = after === undefined ? [] : decodeCursor(after, [COUNT, CAUSE_KEY]);
    const position =
      entries === undefined || key === undefined ? undefined : { entries: Number(entries), key };
    const rows = await this.inbox.list(installationId, state, position, limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map(toRowResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.entries, last.key]),
    };
  }

  @Get('inbox/:causeKey')
  @Access('viewer')
  @ApiOkResponse({ type: InboxCaseResponse })
  async read(
    @Caller() { installationId }: Principal,
    @Param('causeKey') text: string,
  ): Promise<InboxCaseResponse> {
    const found = await this.inbox.find(installationId, causeKeyOf(text));
    if (found === undefined) {
      throw unknownCause();
    }
    const { row, fix } = found;
    return Object.assign(toRowResponse(row), { fix: fix ? toReexportResponse(fix) : null });
  }

  /** The entries that it blocks or has blocked, with what has cleared them. */
  @Get('inbox/:causeKey/entries')
  @Access('viewer')
  @ApiOkResponse({ type: BlockedEntriesResponse })
  async entries(
    @Caller() caller: Principal,
    @Param('causeKey') text: string,
    @Query() { limit, after }: PageQuery,
  ): Promise<BlockedEntriesResponse> {
    await this.read(caller, text);
    const [afterId] = after === undefined ? [] : decodeCursor(after, [UUID]);
    if (afterId !== undefined && !isUuid(afterId)) {
      throw new Problem({
        status: 400,
        type: 'invalid-cursor',
        detail: 'The cursor "after" is none of this list.',
      });
    }
    const rows = await this.inbox.entries(caller.installationId, text, afterId, limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map(toEntryResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.accountingEntryId]),
    };
  }

  /**
   * Mends the mapping where that helps, and exports again everything that is blocked, in a new export job on the platform.
   * The row closes by itself when the entries are exported.
   */
  @Post('inbox/:causeKey/fix')
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @ApiBody({ type: FixRequest, examples: FIX_EXAMPLES })
  @ApiAcceptedResponse({ type: FixedResponse })
  async fix(
    @Caller() { installationId, role, name }: Principal,
    @Param('causeKey') text: string,
    @Body() body: FixRequest,
  ): Promise<FixedResponse> {
    if (body.setting !== undefined && role !== 'admin') {
      throw new Problem({
        status: 403,
        type: 'forbidden',
        detail: 'Settings are for administrators to change.',
      });
    }
    const fixed = await withErp(this.inbox.fix(installationId, causeKeyOf(text), mendOf(body), name));
    return toFixedResponse(fixed);
  }

  /** How far an export is that was asked for here. */
  @Get('reexports/:id')
  @Access('viewer')
  @ApiOkResponse({ type: ReexportResponse })
  async reexport(
    @Caller() { installationId }: Principal,
    @Param('id') id: string,
  ): Promise<ReexportResponse> {
    const found = isUuid(id) ? await this.inbox.reexport(installationId, id) : undefined;
    if (found === undefined) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such re-export.' });
    }
    return toReexportResponse(found);
  }
}

function mendOf({ rule, setting }: FixRequest): Mend {
  if (rule !== undefined && setting !== undefined) {
    const detail = 'Send either "rule" or "setting": a cause is mended by one of them.';
    throw new Problem({ status: 422, type: 'invalid-fix', detail });
  }
  if (rule !== undefined) return { rule };
  return setting === undefined ? 'elsewhere' : { account: setting.account };
}

function toFixedResponse(fixed: FixedCause): FixedResponse {
  switch (fixed.outcome) {
    case 'fixed':
      return { mappingVersion: fixed.mappingVersion ?? null, reexport: toReexportResponse(fixed.reexport) };
    case 'unknown':
      throw unknownCause();
    case 'closed':
      throw new Problem({
        status: 409,
        type: 'nothing-blocked',
        detail: 'Nothing is blocked by this any more.',
      });
    case 'under-way':
      throw new Problem({
        status: 409,
        type: 'fix-under-way',
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
      throw new Problem({ status: 422, type: 'invalid-fix', detail, members: { errors } });
    }
    case 'stale':
      throw staleVersion();
  }
}

/** What is no key gets the same answer as one that does not exist. */
function causeKeyOf(text: string): string {
  if (text.length > LONGEST_CAUSE_KEY || !CAUSE_KEY.test(text)) {
    throw unknownCause();
  }
  return text;
}

function unknownCause(): Problem {
  return new Problem({ status: 404, type: 'not-found', detail: 'There is no such cause.' });
}
