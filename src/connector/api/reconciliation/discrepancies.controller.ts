import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { formatMinor } from '../../../kernel/money.js';
import { actionsOf } from '../../reconciliation/domain/discrepancy-class.js';
import { ReconciliationService, type DifferenceView } from '../../reconciliation/reconciliation.service.js';
import { performDiscrepancyAction } from '../http/discrepancy-action.js';
import { decodeCursor, encodeCursor, INSTANT, UUID } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import {
  DiscrepancyActionRequest,
  DiscrepanciesQuery,
  DiscrepanciesResponse,
  type DiscrepancyResponse,
} from './reconciliation.dto.js';

@ApiTags('Reconciliation')
@ApiBearerAuth()
@Controller('api/v1/discrepancies')
export class DiscrepanciesController {
  constructor(private readonly reconciliationService: ReconciliationService) {}

  /** What platform, connector and ERP do not agree about, oldest first. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: DiscrepanciesResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: DiscrepanciesQuery,
  ): Promise<DiscrepanciesResponse> {
    const after = query.after === undefined ? undefined : positionOf(query.after);
    const filter = { state: query.state, class: query.class };
    const found = await this.reconciliationService.listDiscrepancies(
      installationId,
      filter,
      after,
      query.limit + 1,
    );
    const page = found.slice(0, query.limit);
    const last = found.length > query.limit ? page.at(-1) : undefined;
    return {
      data: page.map(toResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.firstSeenAt.toISOString(), last.id]),
    };
  }

  /** Takes a note for the explanation, takes the entry out of the ERP's books, or exports it again. */
  @Post(':id/actions')
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
    await performDiscrepancyAction(this.reconciliationService, installationId, id, {
      action,
      note,
      by: name,
    });
  }
}

function positionOf(cursor: string) {
  const [firstSeenAt = '', id = ''] = decodeCursor(cursor, [INSTANT, UUID]);
  return { firstSeenAt: new Date(firstSeenAt), id };
}

function toResponse(discrepancy: DifferenceView): DiscrepancyResponse {
  const { id, class: kind, subject, accountingEntryId, exportJobId, erpCompanyId, evidence } = discrepancy;
  const { amountMinor, currency: code, state, firstSeenAt, lastSeenAt } = discrepancy;
  const { settledAt, settledBy, settledAs, note, reexportId } = discrepancy;
  const currency = code === null ? undefined : parseCurrency(code);
  const amount =
    amountMinor === null || currency === undefined ? null : formatMinor(BigInt(amountMinor), currency);
  return {
    ...{ id, class: kind, subject, accountingEntryId, exportJobId, erpCompanyId, evidence },
    ...{ currency: code, amount, state, firstSeenAt, lastSeenAt },
    ...{ settledAt, settledBy, settledAs, note, reexportId, actions: actionsOf(kind) },
  };
}
