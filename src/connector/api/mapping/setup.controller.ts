import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { AlertReader } from '../../alerts/alert.reader.js';
import type { SavedAlertSettings } from '../../alerts/domain/alert-settings.js';
import { PostTestEntry } from '../../erp-connections/test-posting/post-test-entry.js';
import type { TestPosting } from '../../erp-connections/test-posting/test-posting.repository.js';
import { step, type SetupStep } from '../../mapping/domain/setup-step.js';
import { isReady } from '../../mapping/domain/setup.js';
import { CheckSetup } from '../../mapping/check-setup.js';
import { DriftReader } from '../../review/drift.reader.js';
import { toDriftResponse } from './drift.dto.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { Caller, type Principal } from '../http/principal.js';
import { SetupResponse, toSetupStep } from './setup.dto.js';

const MAX_FINDINGS = 50;

@ApiTags('Settings')
@Controller('api/v1/setup')
export class SetupController {
  constructor(
    private readonly checkSetup: CheckSetup,
    private readonly driftReader: DriftReader,
    private readonly alertReader: AlertReader,
    private readonly postTestEntry: PostTestEntry,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read what is still to be set up',
    description: 'What is still missing before the first export can succeed, why, and which route resolves it.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: SetupResponse })
  async read(@Caller() { installationId }: Principal, @ReaderLanguage() language: string): Promise<SetupResponse> {
    const alerts = await this.alertReader.readSettings(installationId);
    const tested = await this.postTestEntry.findNewest(installationId);
    const checked = await this.checkSetup.checkAll(installationId);
    const steps = [...checked, testPostingStep(tested), alertStep(alerts)];
    const drift = await this.driftReader.read(installationId);
    return {
      drift: toDriftResponse(drift, MAX_FINDINGS, language),
      ready: isReady(steps),
      steps: steps.map((found) => toSetupStep(found, language)),
    };
  }
}

/** Does the accounting system take postings? It is optional. */
function testPostingStep(newest: TestPosting | undefined): SetupStep {
  return step(
    'test-posting',
    newest?.state === 'taken-back' || newest?.state === 'draft',
    { blocks: 'nothing' },
    { resolvedBy: 'POST /api/v1/erp-connection/test-posting' },
  );
}

/** Set-up step: who receives alerts. That they are off is a decision once it was saved. */
function alertStep({ channel, version }: SavedAlertSettings): SetupStep {
  const done = channel === 'off' ? 'unwanted' : 'done';
  return step(
    'alerts',
    channel !== 'off' || version > 0,
    { blocks: 'nothing' },
    { done, parameters: { channel }, resolvedBy: 'PUT /api/v1/alert-settings' },
  );
}
