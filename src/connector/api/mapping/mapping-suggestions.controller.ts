import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Clock } from '../../../kernel/clock.js';
import { SuggestRules } from '../../mapping/suggest-rules.js';
import { SuggestionsQuery, SuggestionsResponse } from './mapping-suggestions.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { setupIncomplete } from '../http/outcome-problems.js';
import { MappingUseReader } from '../../exports/issues/mapping-use.reader.js';

const LOOK_BACK_MS = 90 * 24 * 60 * 60 * 1_000;

@ApiTags('Mapping rules')
@Controller('api/v1/mapping/suggestions')
export class MappingSuggestionsController {
  constructor(
    private readonly mappingUseReader: MappingUseReader,
    private readonly suggestRules: SuggestRules,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List unmapped codes with suggestions',
    description:
      'Codes that made items of the last 90 days fail for lack of a mapping, and still would; with suggested targets. The lists of the accounting system are at most a minute old.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: SuggestionsResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() { limit }: SuggestionsQuery,
  ): Promise<SuggestionsResponse> {
    const since = new Date(this.clock.now().getTime() - LOOK_BACK_MS);
    const failures = await this.mappingUseReader.failures(installationId, since);
    const found = await this.suggestRules.suggestFor(installationId, failures);
    if (found === undefined) {
      throw setupIncomplete();
    }
    const data = found.slice(0, limit).map(({ proposals, ...seen }) => ({
      subject: seen.subject,
      sourceGroup: seen.sourceGroup ?? null,
      source: seen.source,
      name: seen.name ?? null,
      items: seen.items,
      lastSeen: seen.lastSeen,
      proposals: proposals.map(({ target, targetGroup, because }) => ({
        targetGroup: targetGroup ?? null,
        target,
        because,
      })),
    }));
    return { data, more: found.length > limit };
  }
}
