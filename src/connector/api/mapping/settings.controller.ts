import { Body, Controller, Get, Headers, HttpCode, Put, Query, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { InstallationsService } from '../../installations/installations.service.js';
import type { SavedSettings } from '../../mapping/domain/mapping.js';
import { MappingService } from '../../mapping/mapping.service.js';
import { ReferenceDataService } from '../../reference-data/reference-data.service.js';
import { AsksPlatform } from '../http/asks-platform.interceptor.js';
import { linkedOrProblem } from '../http/linked-company.js';
import { IF_MATCH, seenVersion, setEtag, staleVersion } from './mapping-preconditions.js';
import { ReasonQuery } from './mapping-rules.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { ErpCompanyRequest, SettingsRequest, SettingsResponse, WebhookSettings } from './settings.dto.js';
import { withPlatform } from '../http/with-platform.js';
import { withErp } from '../http/with-erp.js';

@ApiTags('Settings')
@ApiBearerAuth()
@Controller('api/v1')
export class SettingsController {
  constructor(
    private readonly mapping: MappingService,
    private readonly installations: InstallationsService,
    private readonly referenceData: ReferenceDataService,
  ) {}

  /** The accounts and policies that exports are booked with. 404 before they are saved for the first time. */
  @Get('settings')
  @Access('viewer')
  @ApiOkResponse({ type: SettingsResponse })
  async read(
    @Caller() caller: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SettingsResponse> {
    const latest = await this.mapping.latest(caller.installationId);
    if (latest === undefined) {
      const detail = 'Nothing is saved yet. Save the settings with If-Match: "0".';
      throw new Problem({ status: 404, type: 'not-found', detail });
    }
    return respond(reply, latest);
  }

  /** Saves a new version; a running export keeps the one it began with. */
  @Put('settings')
  @Access('admin')
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: SettingsResponse })
  async save(
    @Caller() caller: Principal,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() { reason }: ReasonQuery,
    @Body() body: SettingsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SettingsResponse> {
    const seen = seenVersion(ifMatch);
    const settings = { accounts: body.accounts, policies: body.policies };
    const author = { name: caller.name, reason };
    const saved = await this.mapping.save(caller.installationId, seen, settings, author);
    if (saved === undefined) {
      throw staleVersion();
    }
    return respond(reply, saved);
  }

  /**
   * Links the ERP company that this platform company's entries are posted to. Where both have a registration number it has
   * to be the same; a company with another one is linked by the operator.
   */
  @Put('erp-company')
  @AsksPlatform()
  @HttpCode(204)
  @Access('admin')
  @ApiNoContentResponse()
  @ApiConflictResponse({
    description: 'it has another registration number, or another connection posts to it',
  })
  async linkErpCompany(
    @Caller() { installationId }: Principal,
    @Body() { erpCompanyId }: ErpCompanyRequest,
  ): Promise<void> {
    const linking = this.installations.linkErpCompany(installationId, erpCompanyId, 'admin');
    linkedOrProblem(await withPlatform(withErp(linking)));
    await this.referenceData.erpCompanyLinked(installationId);
  }

  /** How the platform's webhooks are read. 404 before anything is subscribed. */
  @Get('webhook-settings')
  @Access('viewer')
  @ApiOkResponse({ type: WebhookSettings })
  async readWebhookSettings(@Caller() caller: Principal): Promise<WebhookSettings> {
    const timestampMeaning = await this.installations.timestampMeaning(caller.installationId);
    if (timestampMeaning === undefined) {
      throw notSubscribed();
    }
    return { timestampMeaning };
  }

  /** Says how the platform's webhooks are to be read, from the next message on. */
  @Put('webhook-settings')
  @HttpCode(204)
  @Access('admin')
  @ApiNoContentResponse()
  async saveWebhookSettings(@Caller() caller: Principal, @Body() body: WebhookSettings): Promise<void> {
    if (!(await this.installations.setTimestampMeaning(caller.installationId, body.timestampMeaning))) {
      throw notSubscribed();
    }
  }
}

function notSubscribed(): Problem {
  const detail = 'Nothing is subscribed yet: the connection is not finished.';
  return new Problem({ status: 404, type: 'not-found', detail });
}

function respond(reply: FastifyReply, { version, settings }: SavedSettings): SettingsResponse {
  setEtag(reply, version);
  return {
    version,
    accounts: settings.accounts,
    policies: settings.policies,
  };
}
