import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { ApiTokensService } from '../../access/api-tokens.service.js';
import { ApiTokenRequest, ApiTokenResponse, ApiTokensResponse, toApiTokenResponse } from './api-tokens.dto.js';
import { CREATE_API_TOKEN, successOf } from '../http/outcome-problems.js';
import { notFound } from '../http/problems.js';
import { CreateApiToken } from '../../access/create-api-token.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { Caller, tokenCreatorOf, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';

@ApiTags('People and tokens')
@Controller('api/v1/api-tokens')
export class ApiTokensController {
  constructor(
    private readonly apiTokensService: ApiTokensService,
    private readonly createApiToken: CreateApiToken,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List API tokens',
    description: 'Tokens of the installation, including recently expired ones. The tokens themselves are not stored.',
  })
  @Access('admin')
  @ApiOkResponse({ type: ApiTokensResponse })
  async list(@Caller() { installationId }: Principal): Promise<ApiTokensResponse> {
    return { data: await this.apiTokensService.list(installationId) };
  }

  @Post()
  @ApiOperation({
    summary: 'Create an API token',
    description:
      'Creates a token for automation, which is shown once. It has at most its creator’s role and is revoked when the creator is removed; a token created with another token expires no later than that and is revoked with it.',
  })
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

  @Delete(':id')
  @ApiOperation({
    summary: 'Revoke an API token',
    description: 'Takes effect from the next request on; tokens created with this one are revoked too.',
  })
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  async revoke(@Caller() { installationId }: Principal, @Param('id') id: string): Promise<void> {
    if (!isUuid(id) || !(await this.apiTokensService.revoke(installationId, id))) {
      throw notFound(message('problem.not-found.api-token'));
    }
  }
}
