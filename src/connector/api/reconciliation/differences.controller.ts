import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { formatMinor } from '../../../kernel/money.js';
import { actionsOf } from '../../reconciliation/domain/difference-class.js';
import { ReconciliationService, type DifferenceView } from '../../reconciliation/reconciliation.service.js';
import { actOrProblem } from '../http/act-or-problem.js';
import { decodeCursor, encodeCursor, INSTANT, UUID } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import {
  DifferenceActionRequest,
  DifferencesQuery,
  DifferencesResponse,
  type DifferenceResponse,
} from './reconciliation.dto.js';

@ApiTags('Reconciliation')
@ApiBearerAuth()
@Controller('api/v1/differences')
export class DifferencesController {
  constructor(private readonly reconciliation: ReconciliationService) {}

  /** What platform, connector and ERP do not agree about, oldest first. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: DifferencesResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: DifferencesQuery,
  ): Promise<DifferencesResponse> {
    const after = query.after === undefined ? undefined : positionOf(query.after);
    const filter = { state: query.state, class: query.class };
    const found = await this.reconciliation.listDifferences(installationId, filter, after, query.limit + 1);
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
    @Body() { action, note }: DifferenceActionRequest,
  ): Promise<void> {
    await actOrProblem(this.reconciliation, installationId, id, { action, note, by: name });
  }
}

function positionOf(cursor: string) {
  const [firstSeenAt = '', id = ''] = decodeCursor(cursor, [INSTANT, UUID]);
  return { firstSeenAt: new Date(firstSeenAt), id };
}

function toResponse(difference: DifferenceView): DifferenceResponse {
  const { id, class: kind, subject, accountingEntryId, exportJobId, erpCompanyId, evidence } = difference;
  const { amountMinor, currency: code, state, firstSeenAt, lastSeenAt } = difference;
  const { settledAt, settledBy, settledAs, note, reexportId } = difference;
  const currency = code === null ? undefined : parseCurrency(code);
  const amount =
    amountMinor === null || currency === undefined ? null : formatMinor(BigInt(amountMinor), currency);
  return {
    ...{ id, class: kind, subject, accountingEntryId, exportJobId, erpCompanyId, evidence },
    ...{ currency: code, amount, state, firstSeenAt, lastSeenAt },
    ...{ settledAt, settledBy, settledAs, note, reexportId, actions: actionsOf(kind) },
  };
}
