import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { Caller, type Principal } from '../http/principal.js';
import { OverviewResponse } from './overview.dto.js';
import { ReadOverview } from './read-overview.js';

@ApiTags('Overview')
@Controller('api/v1/overview')
export class OverviewController {
  constructor(private readonly readOverview: ReadOverview) {}

  @Get()
  @ApiOperation({
    summary: 'Read the overview',
    description:
      'What needs a person, with counts and amounts; running exports with the time they have left; the last exports with what proves them; next runs; and whether platform and accounting system can be reached.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: OverviewResponse })
  async read(@Caller() { installationId }: Principal, @ReaderLanguage() language: string): Promise<OverviewResponse> {
    return this.readOverview.readOverview(installationId, language);
  }
}
