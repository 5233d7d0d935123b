import { Body, Controller, Get, Headers, HttpCode, Put, Query, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { LinkErpCompany } from '../../erp-connections/link-erp-company.js';
import { CheckSetup } from '../../mapping/check-setup.js';
import { isReady } from '../../mapping/domain/setup.js';
import type { VersionedSettings } from '../../mapping/domain/mapping.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import { SaveSettings } from '../../mapping/save-settings.js';
import { RequestScheduledSyncs } from '../../reference-data/request-scheduled-syncs.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { expectedVersionOf, IF_MATCH, setEtag } from '../http/if-match.js';
import { LINK_ERP_COMPANY, SAVE_SETTINGS, successOf } from '../http/outcome-problems.js';
import { ReasonQuery } from './mapping-rules.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { ErpCompanyRequest, SavedSettingsResponse, SettingsRequest, SettingsResponse } from './settings.dto.js';
import { toSetupStep } from './setup.dto.js';
import { notFound } from '../http/problems.js';
import { RecentSignIn } from '../http/recent-sign-in.js';

@ApiTags('Settings')
@Controller('api/v1')
export class SettingsController {
  constructor(
    private readonly mappingReader: MappingReader,
    private readonly saveSettings: SaveSettings,
    private readonly linkErpCompany: LinkErpCompany,
    private readonly checkSetup: CheckSetup,
    private readonly requestScheduledSyncs: RequestScheduledSyncs,
  ) {}

  @Get('settings')
  @ApiOperation({
    summary: 'Read the settings',
    description: 'Accounts and policies of exports. 404 before the first save.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: SettingsResponse })
  async read(@Caller() caller: Principal, @Res({ passthrough: true }) reply: FastifyReply): Promise<SettingsResponse> {
    const latest = await this.mappingReader.latestSettings(caller.installationId);
    if (latest === undefined) {
      throw notFound(message('problem.not-found.settings'));
    }
    return respond(reply, latest);
  }

  @Put('settings')
  @ApiOperation({
    summary: 'Save the settings',
    description:
      'Saves a new version; a running export keeps the version it started with. The response has the findings of the set-up with it.',
  })
  @Access('admin')
  @RecentSignIn()
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: SavedSettingsResponse })
  @ApiUnprocessableEntityResponse({ description: 'the accounting system cannot follow a policy' })
  async save(
    @Caller() caller: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() { reason }: ReasonQuery,
    @Body() body: SettingsRequest,
    @ReaderLanguage() language: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SavedSettingsResponse> {
    const seen = expectedVersionOf(ifMatch);
    const settings = { accounts: body.accounts, policies: body.policies };
    const author = { name: caller.name, reason };
    const result = await this.saveSettings.saveChosen(caller.installationId, seen, settings, author);
    const { version, accounts, policies } = respond(reply, successOf(result, ['saved'], SAVE_SETTINGS).saved);
    const steps = await this.checkSetup.checkAll(caller.installationId);
    return {
      version,
      accounts,
      policies,
      setup: { ready: isReady(steps), steps: steps.map((found) => toSetupStep(found, language)) },
    };
  }

  @Put('erp-company')
  @ApiOperation({
    summary: 'Link an ERP company',
    description:
      'Links the ERP company that this platform company’s entries are posted to: one that the own connection shows. Without an own connection only the operator links.',
  })
  @InteractivePlatformRequest()
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiConflictResponse({
    description: 'no accounting system is connected, or another connection posts to the company',
  })
  async setErpCompany(
    @Caller() { installationId }: Principal,
    @Body() { erpCompanyId }: ErpCompanyRequest,
  ): Promise<void> {
    const outcome = await this.linkErpCompany.linkCompany(installationId, erpCompanyId, 'admin');
    successOf({ outcome }, ['linked'], LINK_ERP_COMPANY);
    await this.requestScheduledSyncs.requestAfterLink(installationId);
  }
}

function respond(reply: FastifyReply, { version, settings }: VersionedSettings): SettingsResponse {
  setEtag(reply, version);
  return {
    version,
    accounts: settings.accounts,
    policies: settings.policies,
  };
}
