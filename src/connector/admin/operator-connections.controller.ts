import { Body, Controller, Get, Header, Param, Post, StreamableFile } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Access } from '../../foundation/http/access.js';
import { Problem } from '../../foundation/http/problem.js';
import { isUuid, toInstallationId } from '../../kernel/ids.js';
import { ConnectionService } from '../installations/connection.service.js';
import { InstallationsService } from '../installations/installations.service.js';
import { connectedOrProblem } from './api-key-connection.js';
import { ApiKeyConnectionRequest, ApiKeyConnectionResponse, KeyRotationResponse } from './connection.dto.js';

@ApiTags('Operator')
@ApiBearerAuth()
@Controller('api/v1/operator')
export class OperatorConnectionsController {
  constructor(
    private readonly connections: ConnectionService,
    private readonly installations: InstallationsService,
  ) {}

  /** Connects a company with an API key of the platform instead of a consent. The key is tried before it is stored. */
  @Post('installations')
  @Access('operator')
  @ApiCreatedResponse({ type: ApiKeyConnectionResponse })
  async connect(@Body() { apiKey, companyId }: ApiKeyConnectionRequest): Promise<ApiKeyConnectionResponse> {
    return connectedOrProblem(this.connections.connectWithApiKey(apiKey, companyId));
  }

  /** What is kept of an installation, also of one that was uninstalled and whose tokens open nothing any more. */
  @Get('installations/:id/export')
  @Access('operator')
  @ApiProduces('application/json')
  @ApiOkResponse({ description: '`{exportedAt, tables: {<table>: [row…]}}`' })
  @Header('content-disposition', 'attachment; filename="installation.json"')
  @Header('cache-control', 'no-store')
  async download(@Param('id') id: string): Promise<StreamableFile> {
    const installation = isUuid(id) ? await this.installations.find(toInstallationId(id)) : undefined;
    if (installation === undefined) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such installation.' });
    }
    const document = this.connections.exportKeptData(installation.id);
    return new StreamableFile(document, { type: 'application/json' });
  }

  /** How far the first key of CREDENTIAL_KEYS has taken over from the others. */
  @Get('credential-keys')
  @Access('operator')
  @ApiOkResponse({ type: KeyRotationResponse })
  async keyRotation(): Promise<KeyRotationResponse> {
    return this.connections.keyRotation();
  }
}
