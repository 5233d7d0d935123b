import { Controller, Get, Param } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid, toAccountingEntryId } from '../../../kernel/ids.js';
import { ExplanationsService } from '../../review/explanations.service.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { ExplanationResponse, toExplanationResponse } from './explanations.dto.js';
import {} from '../mapping/mapping-preconditions.js';
import { Caller, type Principal } from '../http/principal.js';
import { mapPlatformErrors } from '../http/platform-problems.js';
import { mapErpErrors } from '../http/erp-problems.js';

@ApiTags('Explanations')
@ApiBearerAuth()
@Controller('api/v1/entries')
export class ExplanationsController {
  constructor(private readonly explanationsService: ExplanationsService) {}

  /** Why an entry is in the books as it is, who has changed what since, and what it would be today. */
  @Get(':accountingEntryId/explanation')
  @InteractivePlatformRequest()
  @Access('viewer')
  @ApiOkResponse({ type: ExplanationResponse })
  async explain(
    @Caller() { installationId }: Principal,
    @Param('accountingEntryId') id: string,
  ): Promise<ExplanationResponse> {
    const found = isUuid(id)
      ? await mapPlatformErrors(
          mapErpErrors(this.explanationsService.explain(installationId, toAccountingEntryId(id))),
        )
      : undefined;
    if (found === undefined) {
      const detail = 'There is no such accounting entry that was sent to the accounting system.';
      throw new Problem({ status: 404, type: 'not-found', detail });
    }
    return toExplanationResponse(found);
  }
}
