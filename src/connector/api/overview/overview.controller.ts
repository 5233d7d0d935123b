import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { CheckReadiness } from '../../review/check-readiness.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { Caller, type Principal } from '../http/principal.js';
import { OverviewResponse } from './overview.dto.js';
import { ReadOverview } from './read-overview.js';
import { ReadinessResponse, toReadinessResponse } from './readiness.dto.js';

@ApiTags('Overview')
@Controller('api/v1/overview')
export class OverviewController {
  constructor(
    private readonly readOverview: ReadOverview,
    private readonly checkReadiness: CheckReadiness,
  ) {}

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

  @Get('readiness')
  @ApiOperation({
    summary: 'Ready to export?',
    description:
      'What is known to be in the way of the next export: open set-up, connections, values in use that are not mapped, what the mapping points at and is not usable any more, and what would become of failed entries now. The platform does not tell what is in its queue before an export has begun.',
  })
  @Access('viewer')
  @InteractivePlatformRequest()
  @ApiOkResponse({ type: ReadinessResponse })
  async readReadiness(
    @Caller() { installationId }: Principal,
    @ReaderLanguage() language: string,
  ): Promise<ReadinessResponse> {
    return toReadinessResponse(await this.checkReadiness.check(installationId), language);
  }
}
