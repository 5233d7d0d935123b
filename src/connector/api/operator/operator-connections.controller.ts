import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Put,
  type StreamableFile,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toInstallationId } from '../../../kernel/ids.js';
import { ConnectWithApiKey } from '../../installations/connect/connect-with-api-key.js';
import { ExportInstallationData } from '../../installations/uninstall/export-installation-data.js';
import { RotateKeys } from '../../installations/credentials/rotate-keys.js';
import { LinkErpCompany } from '../../installations/connect/link-erp-company.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { StartSyncs } from '../../reference-data/start-syncs.js';
import {
  ApiKeyConnectionRequest,
  ApiKeyConnectionResponse,
  KeyRotationResponse,
} from '../connection/connection.dto.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { DownloadLimiter } from '../http/download-limiter.js';
import { fileDownload } from '../http/file-download.js';
import {
  CONNECT_WITH_API_KEY,
  installationNotFound,
  LINK_ERP_COMPANY,
  successOf,
} from '../http/outcome-problems.js';
import { ErpCompanyRequest } from '../mapping/settings.dto.js';

@ApiTags('Operator')
@ApiBearerAuth()
@Controller('api/v1/operator')
export class OperatorConnectionsController {
  constructor(
    private readonly connectWithApiKey: ConnectWithApiKey,
    private readonly exportInstallationData: ExportInstallationData,
    private readonly rotateKeys: RotateKeys,
    private readonly linkErpCompany: LinkErpCompany,
    private readonly installationReader: InstallationReader,
    private readonly startSyncs: StartSyncs,
    private readonly downloadLimiter: DownloadLimiter,
  ) {}

  /** Connects a company with an API key of the platform instead of a consent. The key is tested before it is stored. */
  @Post('installations')
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

  /** Links an ERP company regardless of its registration number, which an administrator of the customer may not. */
  @Put('installations/:id/erp-company')
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
    await this.startSyncs.startForPerson(installationId);
  }

  /** All stored data of an installation, including an uninstalled one, whose tokens are revoked. */
  @Get('installations/:id/export')
  @Access('operator')
  @ApiProduces('application/json')
  @ApiOkResponse({ description: '`{exportedAt, tables: {<table>: [row…]}}`' })
  @ApiConflictResponse({ description: 'a download or a verification of the installation is in progress' })
  @Header('cache-control', 'no-store')
  async download(@Param('id') id: string): Promise<StreamableFile> {
    const installation = isUuid(id) ? await this.installationReader.find(toInstallationId(id)) : undefined;
    if (installation === undefined) {
      throw installationNotFound();
    }
    const document = this.downloadLimiter.limitStream(installation.id, () =>
      this.exportInstallationData.openExport(installation.id),
    );
    return fileDownload(document, { name: 'installation.json', type: 'application/json' });
  }

  /** The progress of the rotation to the first key of CREDENTIAL_KEYS. */
  @Get('credential-keys')
  @Access('operator')
  @ApiOkResponse({ type: KeyRotationResponse })
  async keyRotation(): Promise<KeyRotationResponse> {
    return this.rotateKeys.progress();
  }
}
