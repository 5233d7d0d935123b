import { randomBytes, randomUUID } from 'node:crypto';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Access } from '../../foundation/http/access.js';
import { Problem } from '../../foundation/http/problem.js';
import { isUuid, toInstallationId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { ApiTokenRepository } from './api-token.repository.js';
import {
  ApiTokenRequest,
  ApiTokenResponse,
  InstallationsQuery,
  InstallationsResponse,
} from './operator.dto.js';

const TOKEN_BYTES = 32;

/** What the operator of the hosted service may do; nothing here shows a tenant's business. */
@ApiTags('Operator')
@ApiBearerAuth()
@Controller('api/v1/operator')
export class OperatorController {
  constructor(
    private readonly installations: InstallationsService,
    private readonly database: TenantDatabase,
    private readonly tokens: ApiTokenRepository,
  ) {}

  /** Installations, newest first. */
  @Get('installations')
  @Access('operator')
  @ApiOkResponse({ type: InstallationsResponse })
  async list(@Query() query: InstallationsQuery): Promise<InstallationsResponse> {
    return { data: await this.installations.summaries(query.limit) };
  }

  /** Makes an API token of one installation. The token is shown once and stored only as a hash. */
  @Post('installations/:id/api-tokens')
  @Access('operator')
  @ApiCreatedResponse({ type: ApiTokenResponse })
  async createToken(@Param('id') id: string, @Body() body: ApiTokenRequest): Promise<ApiTokenResponse> {
    const installation = isUuid(id) ? await this.installations.find(toInstallationId(id)) : undefined;
    if (installation === undefined) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such installation.' });
    }
    const { role, label, days } = body;
    const token = `cat_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    const created = { id: randomUUID(), token, role, label, days };
    const expiresAt = await this.database.inInstallation('create API token', installation.id, (tx) =>
      this.tokens.insert(tx, installation.id, created),
    );
    return { id: created.id, token: created.token, role: created.role, expiresAt };
  }
}
