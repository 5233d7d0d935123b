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
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { ApiTokensService } from '../../access/api-tokens.service.js';
import { CreateApiToken } from '../../access/create-api-token.js';
import { ApiTokenRequest, ApiTokenResponse, ApiTokensResponse } from './api-tokens.dto.js';
import { createdTokenOrThrow } from './api-token-problems.js';
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

  /** Tokens of the installation, those that have expired lately included. The tokens themselves are not kept. */
  @Get()
  @Access('admin')
  @ApiOkResponse({ type: ApiTokensResponse })
  async list(@Caller() { installationId }: Principal): Promise<ApiTokensResponse> {
    return { data: await this.apiTokensService.list(installationId) };
  }

  /**
   * Makes a token for automation, which is shown once. It never may more than its maker, goes when its maker is removed, and
   * one that is made with another token ends no later than that and is revoked with it.
   */
  @Post()
  @Idempotent()
  @Access('admin')
  @RecentSignIn()
  @Header('cache-control', 'no-store')
  @ApiCreatedResponse({ type: ApiTokenResponse })
  @ApiConflictResponse({ description: 'there are 100 already' })
  async create(@Caller() caller: Principal, @Body() body: ApiTokenRequest): Promise<ApiTokenResponse> {
    return createdTokenOrThrow(
      this.createApiToken.createToken(caller.installationId, body, tokenCreatorOf(caller)),
    );
  }

  /** Counts from the next request on; tokens that were made with this one go along. */
  @Delete(':id')
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  async revoke(@Caller() { installationId }: Principal, @Param('id') id: string): Promise<void> {
    if (!isUuid(id) || !(await this.apiTokensService.revoke(installationId, id))) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such API token.' });
    }
  }
}
