import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toAccountingEntryId } from '../../../kernel/ids.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { ExplainEntry } from '../../review/explain-entry.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { ExplanationResponse, toExplanationResponse } from './explanations.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { entryNotFound } from '../http/outcome-problems.js';

@ApiTags('Explanations')
@Controller('api/v1/entries')
export class ExplanationsController {
  constructor(private readonly explainEntry: ExplainEntry) {}

  @Get(':accountingEntryId/explanation')
  @ApiOperation({
    summary: 'Explain an entry',
    description:
      'Why an entry was posted as it is, which mapping changes followed, and how it would be posted today. Of one that failed: what stops it, and what it would be.',
  })
  @InteractivePlatformRequest()
  @Access('viewer')
  @ApiOkResponse({ type: ExplanationResponse })
  async explain(
    @Caller() { installationId }: Principal,
    @Param('accountingEntryId') id: string,
    @ReaderLanguage() language: string,
  ): Promise<ExplanationResponse> {
    const found = isUuid(id) ? await this.explainEntry.explain(installationId, toAccountingEntryId(id)) : undefined;
    if (found === undefined) {
      throw entryNotFound();
    }
    return toExplanationResponse(found, language);
  }
}
