import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { CheckDrift } from '../../review/check-drift.js';
import { DriftReader } from '../../review/drift.reader.js';
import { DriftResponse, toDriftResponse } from './drift.dto.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { Caller, type Principal } from '../http/principal.js';
import { setupIncomplete } from '../http/outcome-problems.js';

const MAX_FINDINGS = 500;

@ApiTags('Drift')
@Controller('api/v1/drift')
export class DriftController {
  constructor(
    private readonly checkDrift: CheckDrift,
    private readonly driftReader: DriftReader,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List drifted mapping targets',
    description:
      'Targets of the mapping that were archived, renamed or blocked in the ERP; checked daily and with each job.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: DriftResponse })
  async read(@Caller() { installationId }: Principal, @ReaderLanguage() language: string): Promise<DriftResponse> {
    return toDriftResponse(await this.driftReader.read(installationId), MAX_FINDINGS, language);
  }

  @Post('checks')
  @ApiOperation({ summary: 'Check for drift', description: 'Looks up every target of the mapping in the ERP now.' })
  @Idempotent()
  @HttpCode(200)
  @Access('bookkeeper')
  @ApiOkResponse({ type: DriftResponse })
  async check(@Caller() caller: Principal, @ReaderLanguage() language: string): Promise<DriftResponse> {
    if (!(await this.checkDrift.check(caller.installationId))) {
      throw setupIncomplete();
    }
    return this.read(caller, language);
  }
}
