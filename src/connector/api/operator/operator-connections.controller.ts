import { Body, Controller, Get, Header, HttpCode, Param, Post, Put, StreamableFile } from '@nestjs/common';
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
import { ReferenceDataService } from '../../reference-data/reference-data.service.js';
import { connectionOrThrow } from '../connection/api-key-problems.js';
import {
  ApiKeyConnectionRequest,
  ApiKeyConnectionResponse,
  KeyRotationResponse,
} from '../connection/connection.dto.js';
import { installationNotFound } from '../people/api-token-problems.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { assertErpCompanyLinked } from '../http/erp-company-link-problems.js';
import { DownloadLimiter } from '../http/download-limiter.js';
import {} from '../mapping/mapping-preconditions.js';
import { ErpCompanyRequest } from '../mapping/settings.dto.js';
import { mapErpErrors } from '../http/erp-problems.js';

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
    private readonly referenceDataService: ReferenceDataService,
    private readonly downloadLimiter: DownloadLimiter,
  ) {}

  /** Connects a company with an API key of the platform instead of a consent. The key is tried before it is stored. */
  @Post('installations')
  @Idempotent()
  @Access('operator')
  @ApiCreatedResponse({ type: ApiKeyConnectionResponse })
  async connect(@Body() { apiKey, companyId }: ApiKeyConnectionRequest): Promise<ApiKeyConnectionResponse> {
    return connectionOrThrow(this.connectWithApiKey.connect(apiKey, companyId));
  }

  /** Links an ERP company whatever its registration number is: for what an administrator of the customer may not. */
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
    const linking = this.linkErpCompany.linkCompany(installationId, erpCompanyId, 'operator');
    assertErpCompanyLinked(await mapErpErrors(linking));
    await this.referenceDataService.requestFullSync(installationId);
  }

  /** What is kept of an installation, also of one that was uninstalled and whose tokens open nothing any more. */
  @Get('installations/:id/export')
  @Access('operator')
  @ApiProduces('application/json')
  @ApiOkResponse({ description: '`{exportedAt, tables: {<table>: [row…]}}`' })
  @ApiConflictResponse({ description: 'a download or a verification of the installation is under way' })
  @Header('content-disposition', 'attachment; filename="installation.json"')
  @Header('cache-control', 'no-store')
  async download(@Param('id') id: string): Promise<StreamableFile> {
    const installation = isUuid(id) ? await this.installationReader.find(toInstallationId(id)) : undefined;
    if (installation === undefined) {
      throw installationNotFound();
    }
    const document = this.downloadLimiter.limitStream(installation.id, () =>
      this.exportInstallationData.openExport(installation.id),
    );
    return new StreamableFile(document, { type: 'application/json' });
  }

  /** How far the first key of CREDENTIAL_KEYS has taken over from the others. */
  @Get('credential-keys')
  @Access('operator')
  @ApiOkResponse({ type: KeyRotationResponse })
  async keyRotation(): Promise<KeyRotationResponse> {
    return this.rotateKeys.progress();
  }
}
