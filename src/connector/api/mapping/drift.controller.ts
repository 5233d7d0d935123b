import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { DriftService } from '../../review/drift.service.js';
import { DriftResponse, toDriftResponse } from './drift.dto.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import {} from './mapping-preconditions.js';
import { Caller, type Principal } from '../http/principal.js';
import { mapErpErrors } from '../http/erp-problems.js';

const MAX_FINDINGS = 500;

@ApiTags('Drift')
@ApiBearerAuth()
@Controller('api/v1/drift')
export class DriftController {
  constructor(private readonly driftService: DriftService) {}

  /** What was archived, renamed or blocked in the ERP while the mapping points at it; looked at daily and with each job. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: DriftResponse })
  async read(@Caller() { installationId }: Principal): Promise<DriftResponse> {
    return toDriftResponse(await this.driftService.read(installationId), MAX_FINDINGS);
  }

  /** Looks now. */
  @Post('checks')
  @Idempotent()
  @HttpCode(200)
  @Access('bookkeeper')
  @ApiOkResponse({ type: DriftResponse })
  async check(@Caller() caller: Principal): Promise<DriftResponse> {
    if (!(await mapErpErrors(this.driftService.check(caller.installationId)))) {
      const detail =
        'Save the settings and link a company of the accounting system first: GET /api/v1/setup says how.';
      throw new Problem({ status: 409, type: 'setup-incomplete', detail });
    }
    return this.read(caller);
  }
}
