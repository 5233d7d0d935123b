import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../foundation/http/access.js';
import { ConnectionService } from '../installations/connection.service.js';
import { connectedOrProblem } from './api-key-connection.js';
import { ApiKeyConnectionRequest, ApiKeyConnectionResponse, KeyRotationResponse } from './connection.dto.js';

@ApiTags('Operator')
@ApiBearerAuth()
@Controller('api/v1/operator')
export class OperatorConnectionsController {
  constructor(private readonly connections: ConnectionService) {}

  /** Connects a company with an API key of the platform instead of a consent. The key is tried before it is stored. */
  @Post('installations')
  @Access('operator')
  @ApiCreatedResponse({ type: ApiKeyConnectionResponse })
  async connect(@Body() { apiKey, companyId }: ApiKeyConnectionRequest): Promise<ApiKeyConnectionResponse> {
    return connectedOrProblem(this.connections.connectWithApiKey(apiKey, companyId));
  }

  /** How far the first key of CREDENTIAL_KEYS has taken over from the others. */
  @Get('credential-keys')
  @Access('operator')
  @ApiOkResponse({ type: KeyRotationResponse })
  async keyRotation(): Promise<KeyRotationResponse> {
    return this.connections.keyRotation();
  }
}
