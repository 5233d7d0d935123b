import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isReady } from '../../mapping/domain/setup.js';
import { CheckSetup } from '../../mapping/check-setup.js';
import { DriftReader } from '../../review/drift.reader.js';
import { toDriftResponse } from './drift.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { SetupResponse } from './setup.dto.js';

const MAX_FINDINGS = 50;

@ApiTags('Settings')
@Controller('api/v1/setup')
export class SetupController {
  constructor(
    private readonly checkSetup: CheckSetup,
    private readonly driftReader: DriftReader,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read what is still to be set up',
    description: 'What is still missing before the first export can succeed, why, and which route resolves it.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: SetupResponse })
  async read(@Caller() { installationId }: Principal): Promise<SetupResponse> {
    const steps = await this.checkSetup.checkAll(installationId);
    const drift = await this.driftReader.read(installationId);
    return {
      drift: toDriftResponse(drift, MAX_FINDINGS),
      ready: isReady(steps),
      steps: steps.map((step) => ({
        check: step.check,
        state: step.state,
        blocks: step.blocks,
        itemTypes: step.blocks === 'item-types' ? step.itemTypes : [],
        detail: step.detail,
        resolvedBy: step.resolvedBy ?? null,
      })),
    };
  }
}
