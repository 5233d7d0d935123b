import { Body, Controller, Delete, Get, Header, HttpCode, Param, Put, Query } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiConflictResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { CHANGE_MEMBER, CLAIM_FIRST_ADMIN, successOf } from '../http/outcome-problems.js';
import { PageQuery } from '../http/page.dto.js';
import { INSTANT, PagedList, UUID } from '../http/page.js';
import { MemberReader } from '../../access/member.reader.js';
import { ChooseLanguage } from '../../access/choose-language.js';
import { ChangeMember } from '../../access/change-member.js';
import type { Role } from '../../access/domain/role.js';
import { FirstAdmin } from '../../installations/connect/first-admin.js';
import { FirstAdminRequest, LanguageRequest, MembersResponse, MeResponse, RoleRequest } from './members.dto.js';
import { problem } from '../http/problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';

const MEMBERS = new PagedList({ createdAt: INSTANT, id: UUID });

@ApiTags('People and tokens')
@Controller('api/v1')
export class MembersController {
  constructor(
    private readonly memberReader: MemberReader,
    private readonly changeMember: ChangeMember,
    private readonly chooseLanguage: ChooseLanguage,
    private readonly firstAdmin: FirstAdmin,
  ) {}

  @Get('me')
  @ApiOperation({ summary: 'Read the caller', description: 'Identity, role and CSRF token of the caller.' })
  @Access('viewer')
  @RouteConfig({ compress: false })
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ type: MeResponse })
  async me(@Caller() caller: Principal): Promise<MeResponse> {
    const { installationId, role, name, memberId, language, csrfToken = null, signedInRecently = null } = caller;
    const member = memberId === undefined ? undefined : await this.memberReader.find(installationId, memberId);
    const displayName = member?.displayName ?? null;
    const hasAdmin = await this.memberReader.hasAdmin(installationId);
    const known = { memberId: memberId ?? null, hasAdmin, language, signedInRecently, csrfToken };
    return { installationId, role, name, displayName, ...known };
  }

  @Put('me/language')
  @ApiOperation({
    summary: 'Choose the own language',
    description:
      'In which language this person reads reasons and advice in this company, before what the browser prefers.',
  })
  @HttpCode(204)
  @Access('viewer')
  @ApiNoContentResponse()
  async setLanguage(
    @Caller() { installationId, memberId }: Principal,
    @Body() { language }: LanguageRequest,
  ): Promise<void> {
    if (memberId === undefined) {
      throw problem('forbidden', message('problem.forbidden.no-person'));
    }
    await this.chooseLanguage.choose(installationId, memberId, language);
  }

  @Put('me/first-admin')
  @ApiOperation({
    summary: 'Become the first admin',
    description:
      'For a member of a company without an admin, with the code that the operator has created. With the first admin every code is used up.',
  })
  @HttpCode(204)
  @Access('viewer')
  @ApiNoContentResponse()
  @ApiConflictResponse({ description: 'the company has an admin' })
  @ApiUnprocessableEntityResponse({ description: 'no code that can be used' })
  async claimFirstAdmin(
    @Caller() { installationId, memberId }: Principal,
    @Body() { code }: FirstAdminRequest,
  ): Promise<void> {
    if (memberId === undefined) {
      throw problem('forbidden', message('problem.forbidden.person-needed'));
    }
    const outcome = await this.firstAdmin.claim(installationId, memberId, code);
    successOf({ outcome }, ['claimed'], CLAIM_FIRST_ADMIN);
  }

  @Get('members')
  @ApiOperation({
    summary: 'List members',
    description: 'Members: people who have signed in, and those who were removed.',
  })
  @Access('admin')
  @ApiOkResponse({ type: MembersResponse })
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<MembersResponse> {
    return MEMBERS.page(query, (after, limit) => this.memberReader.list(installationId, after, limit));
  }

  @Put('members/:id')
  @ApiOperation({
    summary: 'Set the role of a member',
    description: 'Changes the role of a member, from the next request on; invites a person who was removed.',
  })
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'it would leave no admin' })
  async setRole(@Caller() caller: Principal, @Param('id') id: string, @Body() { role }: RoleRequest): Promise<void> {
    await this.change(caller, id, role);
  }

  @Delete('members/:id')
  @ApiOperation({
    summary: 'Remove a member',
    description: 'Removes a member with sessions and tokens. Signing in is refused until an admin gives a role anew.',
  })
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'it would leave no admin' })
  async remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    await this.change(caller, id, undefined);
  }

  private async change({ installationId, memberId }: Principal, id: string, role: Role | undefined): Promise<void> {
    const outcome = isUuid(id)
      ? await this.changeMember.changeMember(installationId, id, role, memberId)
      : ('unknown' as const);
    successOf({ outcome }, ['changed'], CHANGE_MEMBER);
  }
}
