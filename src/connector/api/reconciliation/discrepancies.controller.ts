import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { localize } from '../../messages/texts.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { formatMinor } from '../../../kernel/money.js';
import { actionsOf } from '../../reconciliation/domain/discrepancy-class.js';
import { EntryFactsReader } from '../../exports/lists/entry-facts.reader.js';
import { ActOnDiscrepancy } from '../../reconciliation/actions/act-on-discrepancy.js';
import type { DiscrepancyView } from '../../reconciliation/domain/discrepancy-view.js';
import { ReconciliationReader } from '../../reconciliation/reconciliation.reader.js';
import { toNamedEntry } from '../entries/named-entry.dto.js';
import { ACT_ON_DISCREPANCY, successOf } from '../http/outcome-problems.js';
import { INSTANT, PagedList, UUID } from '../http/page.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { discrepancyText } from './discrepancy-text.js';
import { moneyOf } from '../http/money.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import {
  DiscrepancyActionRequest,
  DiscrepanciesQuery,
  DiscrepanciesResponse,
  type DiscrepancyResponse,
} from './reconciliation.dto.js';

const DISCREPANCIES = new PagedList({ firstSeenAt: INSTANT, id: UUID });

@ApiTags('Reconciliation')
@Controller('api/v1/discrepancies')
export class DiscrepanciesController {
  constructor(
    private readonly reconciliationReader: ReconciliationReader,
    private readonly actOnDiscrepancy: ActOnDiscrepancy,
    private readonly entryFactsReader: EntryFactsReader,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List discrepancies',
    description:
      'Discrepancies between platform, connector and ERP: open ones with the oldest first, settled ones with the newest first.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: DiscrepanciesResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: DiscrepanciesQuery,
    @ReaderLanguage() language: string,
  ): Promise<DiscrepanciesResponse> {
    const filter = { state: query.state, class: query.class };
    const { data, nextCursor } = await DISCREPANCIES.page(query, (after, limit) =>
      this.reconciliationReader.listDiscrepancies(installationId, filter, after, limit),
    );
    const ids = data.flatMap(({ accountingEntryId }) => accountingEntryId ?? []);
    const facts = await this.entryFactsReader.read(installationId, ids);
    return { data: data.map((row) => toResponse(row, facts, language)), nextCursor };
  }

  @Post(':id/actions')
  @ApiOperation({
    summary: 'Settle a discrepancy',
    description: 'Accepts a discrepancy with a note, reverses the entry in the ERP, or exports it again.',
  })
  @Idempotent()
  @HttpCode(204)
  @Access('bookkeeper')
  @RecentSignIn()
  @ApiNoContentResponse()
  async act(
    @Caller() { installationId, name }: Principal,
    @Param('id') id: string,
    @Body() { action, note }: DiscrepancyActionRequest,
  ): Promise<void> {
    const acted = isUuid(id)
      ? await this.actOnDiscrepancy.act(installationId, id.toLowerCase(), { action, note, by: name })
      : ({ outcome: 'unknown' } as const);
    successOf(acted, ['done'], ACT_ON_DISCREPANCY);
  }
}

function toResponse(
  discrepancy: DiscrepancyView,
  facts: Awaited<ReturnType<EntryFactsReader['read']>>,
  language: string,
): DiscrepancyResponse {
  const { id, class: kind, subject, accountingEntryId, exportJobId, erpCompanyId, evidence } = discrepancy;
  const { amountMinor, currency: code, state, firstSeenAt, lastSeenAt } = discrepancy;
  const { settledAt, settledBy, settledAs, note, reexportId } = discrepancy;
  const currency = code === null ? undefined : parseCurrency(code);
  const amount = amountMinor === null || currency === undefined ? null : formatMinor(BigInt(amountMinor), currency);
  return {
    message: localize(language, discrepancyText(kind, evidence)),
    ...{ id, class: kind, subject, accountingEntryId, exportJobId, erpCompanyId, evidence },
    entry: toNamedEntry(facts.get(accountingEntryId ?? '')),
    ...{ currency: code, amount, money: moneyOf(amountMinor, code), state, firstSeenAt, lastSeenAt },
    ...{ settledAt, settledBy, settledAs, note, reexportId, actions: actionsOf(kind) },
  };
}
