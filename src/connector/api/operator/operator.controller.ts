import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
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
import { isUuid, toInstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { CLAIM_FIRST_ADMIN, CREATE_API_TOKEN, installationNotFound, successOf } from '../http/outcome-problems.js';
import { ApiTokenRequest, ApiTokenResponse, toApiTokenResponse } from '../people/api-tokens.dto.js';
import { CreateApiToken } from '../../access/create-api-token.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { FirstAdmin } from '../../installations/connect/first-admin.js';
import { INSTANT, PagedList, UUID } from '../http/page.js';
import { notFound, problem } from '../http/problems.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import {
  FirstAdminCodeResponse,
  FirstAdminCodesResponse,
  InstallationsQuery,
  InstallationsResponse,
} from './operator.dto.js';

const INSTALLATIONS = new PagedList({ createdAt: INSTANT, id: UUID });

/** The operator may create tokens of every role. */
const OPERATOR = { role: 'admin', memberId: undefined, token: undefined } as const;

/** Routes of the operator of the hosted service; none shows business data of a tenant. */
@ApiTags('Operator')
@Controller('api/v1/operator')
export class OperatorController {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly createApiToken: CreateApiToken,
    private readonly firstAdmin: FirstAdmin,
  ) {}

  @Get('installations')
  @ApiOperation({ summary: 'List installations', description: 'Installations, newest first.' })
  @Access('operator')
  @ApiOkResponse({ type: InstallationsResponse })
  async list(@Query() query: InstallationsQuery): Promise<InstallationsResponse> {
    return INSTALLATIONS.page(query, (after, limit) => this.installationReader.summaries(after, limit));
  }

  @Post('installations/:id/api-tokens')
  @ApiOperation({
    summary: 'Create an API token of an installation',
    description: 'Creates an API token of one installation. The token is shown once and stored only as a hash.',
  })
  @Idempotent()
  @Access('operator')
  @ApiCreatedResponse({ type: ApiTokenResponse })
  @ApiNotFoundResponse({ description: 'there is no such installation, or it was uninstalled' })
  async createToken(@Param('id') id: string, @Body() body: ApiTokenRequest): Promise<ApiTokenResponse> {
    if (!isUuid(id)) {
      throw installationNotFound();
    }
    const created = await this.createApiToken.createToken(toInstallationId(id), body, OPERATOR);
    return toApiTokenResponse(successOf(created, ['created'], CREATE_API_TOKEN));
  }

  @Post('installations/:id/first-admin-codes')
  @ApiOperation({
    summary: 'Create a first-admin code',
    description:
      'Makes a code for the first admin of a company that was connected with an API key: who has signed in enters it in the settings. It counts for a week, until there is an admin.',
  })
  @Idempotent()
  @Access('operator')
  @ApiCreatedResponse({ type: FirstAdminCodeResponse })
  @ApiNotFoundResponse({ description: 'there is no such installation, or it was uninstalled' })
  @ApiConflictResponse({ description: 'it has an admin, or 20 codes that can be used' })
  async makeFirstAdminCode(@Param('id') id: string): Promise<FirstAdminCodeResponse> {
    const made = isUuid(id) ? await this.firstAdmin.makeCode(toInstallationId(id)) : undefined;
    if (made === undefined) {
      throw installationNotFound();
    }
    if (made === 'has-admin') {
      throw CLAIM_FIRST_ADMIN[made]();
    }
    if (made === 'too-many') {
      throw problem('too-many-codes', message('problem.too-many-codes.detail'));
    }
    return made;
  }

  @Get('installations/:id/first-admin-codes')
  @ApiOperation({
    summary: 'List first-admin codes',
    description: 'Codes for the first admin that can still be used. The codes themselves are not stored.',
  })
  @Access('operator')
  @ApiOkResponse({ type: FirstAdminCodesResponse })
  @ApiNotFoundResponse({ description: 'there is no such installation' })
  async listFirstAdminCodes(@Param('id') id: string): Promise<FirstAdminCodesResponse> {
    const data = isUuid(id) ? await this.firstAdmin.listCodes(toInstallationId(id)) : undefined;
    if (data === undefined) {
      throw installationNotFound();
    }
    return { data };
  }

  @Delete('installations/:id/first-admin-codes/:codeId')
  @ApiOperation({ summary: 'Revoke a first-admin code', description: 'Revokes one code, from the next request on.' })
  @HttpCode(204)
  @Access('operator')
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ description: 'there is no such code' })
  async revokeFirstAdminCode(@Param('id') id: string, @Param('codeId') codeId: string): Promise<void> {
    const isId = isUuid(id) && isUuid(codeId);
    if (!isId || !(await this.firstAdmin.revokeCode(toInstallationId(id), codeId))) {
      throw notFound(message('problem.not-found.code'));
    }
  }
}
