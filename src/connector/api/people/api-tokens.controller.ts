import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { ApiTokensService } from '../../access/api-tokens.service.js';
import { ApiTokenRequest, ApiTokenResponse, ApiTokensResponse, toApiTokenResponse } from './api-tokens.dto.js';
import { CREATE_API_TOKEN, successOf } from '../http/outcome-problems.js';
import { notFound } from '../http/problems.js';
import { CreateApiToken } from '../../access/create-api-token.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { Caller, tokenCreatorOf, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';

@ApiTags('People and tokens')
@ApiBearerAuth()
@Controller('api/v1/api-tokens')
export class ApiTokensController {
  constructor(
    private readonly apiTokensService: ApiTokensService,
    private readonly createApiToken: CreateApiToken,
  ) {}

  /** Tokens of the installation, including recently expired ones. The tokens themselves are not stored. */
  @Get()
  @Access('admin')
  @ApiOkResponse({ type: ApiTokensResponse })
  async list(@Caller() { installationId }: Principal): Promise<ApiTokensResponse> {
    return { data: await this.apiTokensService.list(installationId) };
  }

  /**
   * Creates a token for automation, which is shown once. It has at most its creator's role and is revoked when the creator is
   * removed; a token created with another token expires no later than that and is revoked with it.
   */
  @Post()
  @Idempotent()
  @Access('admin')
  @RecentSignIn()
  @Header('cache-control', 'no-store')
  @ApiCreatedResponse({ type: ApiTokenResponse })
  @ApiConflictResponse({ description: 'there are 100 already' })
  async create(@Caller() caller: Principal, @Body() body: ApiTokenRequest): Promise<ApiTokenResponse> {
    const created = await this.createApiToken.createToken(caller.installationId, body, tokenCreatorOf(caller));
    return toApiTokenResponse(successOf(created, ['created'], CREATE_API_TOKEN));
  }

  /** Takes effect from the next request on; tokens created with this one are revoked too. */
  @Delete(':id')
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  async revoke(@Caller() { installationId }: Principal, @Param('id') id: string): Promise<void> {
    if (!isUuid(id) || !(await this.apiTokensService.revoke(installationId, id))) {
      throw notFound('There is no such API token.');
    }
  }
}
