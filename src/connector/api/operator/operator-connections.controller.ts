import { Body, Controller, HttpCode, Param, Post, Put } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toInstallationId } from '../../../kernel/ids.js';
import { ConnectWithApiKey } from '../../installations/connect/connect-with-api-key.js';
import { LinkErpCompany } from '../../erp-connections/link-erp-company.js';
import { RequestScheduledSyncs } from '../../reference-data/request-scheduled-syncs.js';
import { ApiKeyConnectionRequest, ApiKeyConnectionResponse } from '../connection/connection.dto.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { CONNECT_WITH_API_KEY, installationNotFound, LINK_ERP_COMPANY, successOf } from '../http/outcome-problems.js';
import { ErpCompanyRequest } from '../mapping/settings.dto.js';

@ApiTags('Operator')
@Controller('api/v1/operator')
export class OperatorConnectionsController {
  constructor(
    private readonly connectWithApiKey: ConnectWithApiKey,
    private readonly linkErpCompany: LinkErpCompany,
    private readonly requestScheduledSyncs: RequestScheduledSyncs,
  ) {}

  @Post('installations')
  @ApiOperation({
    summary: 'Connect a company by API key',
    description:
      'Connects a company with an API key of the platform instead of a consent. The key is tested before it is stored.',
  })
  @Idempotent()
  @Access('operator')
  @ApiCreatedResponse({ type: ApiKeyConnectionResponse })
  async connect(@Body() { apiKey, companyId }: ApiKeyConnectionRequest): Promise<ApiKeyConnectionResponse> {
    const { installationId, companyName } = successOf(
      await this.connectWithApiKey.connect(apiKey, companyId),
      ['connected'],
      CONNECT_WITH_API_KEY,
    );
    return { installationId, companyName };
  }

  @Put('installations/:id/erp-company')
  @ApiOperation({
    summary: 'Link an ERP company for an installation',
    description:
      'Links a company of the sandbox’s ledger, which an administrator of the customer may not, or of the own connection.',
  })
  @HttpCode(204)
  @Access('operator')
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ description: 'there is no such installation, or it was uninstalled' })
  @ApiConflictResponse({ description: 'another connection posts to it' })
  async setErpCompany(@Param('id') id: string, @Body() { erpCompanyId }: ErpCompanyRequest): Promise<void> {
    if (!isUuid(id)) {
      throw installationNotFound();
    }
    const installationId = toInstallationId(id);
    const outcome = await this.linkErpCompany.linkCompany(installationId, erpCompanyId, 'operator');
    successOf({ outcome }, ['linked'], LINK_ERP_COMPANY);
    await this.requestScheduledSyncs.requestAfterLink(installationId);
  }
}
