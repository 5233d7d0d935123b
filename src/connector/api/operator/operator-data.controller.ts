import { Controller, Get, Header, Param, type StreamableFile } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toInstallationId } from '../../../kernel/ids.js';
import { RotateKeys } from '../../installations/credentials/rotate-keys.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { ExportInstallationData } from '../../installations/uninstall/export-installation-data.js';
import { KeyRotationResponse } from '../connection/connection.dto.js';
import { Download, Rows, type RowCount } from '../downloads/download.interceptor.js';
import { DownloadLimiter } from '../downloads/download-limiter.js';
import { fileDownload } from '../downloads/file-download.js';
import { STORED_DATA } from '../downloads/stored-data.schema.js';
import { installationNotFound } from '../http/outcome-problems.js';

@ApiTags('Operator')
@Controller('api/v1/operator')
export class OperatorDataController {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly exportInstallationData: ExportInstallationData,
    private readonly rotateKeys: RotateKeys,
    private readonly downloadLimiter: DownloadLimiter,
  ) {}

  @Get('installations/:id/export')
  @ApiOperation({
    summary: 'Download everything that is stored of an installation',
    description: 'All stored data of an installation, including an uninstalled one, whose tokens are revoked.',
  })
  @Download()
  @Access('operator')
  @ApiProduces('application/json')
  @ApiOkResponse({ schema: STORED_DATA })
  @ApiConflictResponse({ description: 'a download or a verification of the installation is under way' })
  @Header('cache-control', 'no-store')
  async download(@Param('id') id: string, @Rows() rows: RowCount): Promise<StreamableFile> {
    const installation = isUuid(id) ? await this.installationReader.find(toInstallationId(id)) : undefined;
    if (installation === undefined) {
      throw installationNotFound();
    }
    const document = this.downloadLimiter.limitStream(installation.id, () =>
      this.exportInstallationData.openExport(installation.id, rows),
    );
    return fileDownload(document, { name: 'installation.json', type: 'application/json' });
  }

  @Get('credential-keys')
  @ApiOperation({
    summary: 'Read the progress of a key rotation',
    description: 'The progress of the rotation to the first key of CREDENTIAL_KEYS.',
  })
  @Access('operator')
  @ApiOkResponse({ type: KeyRotationResponse })
  async keyRotation(): Promise<KeyRotationResponse> {
    return this.rotateKeys.progress();
  }
}
