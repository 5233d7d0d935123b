import { Body, Controller, Delete, Get, Header, HttpCode, Param, Put, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { CHANGE_MEMBER, successOf } from '../http/outcome-problems.js';
import { PageQuery } from '../http/page.dto.js';
import { INSTANT, PagedList, UUID } from '../http/page.js';
import { MemberReader } from '../../access/member.reader.js';
import { ChangeMember } from '../../access/change-member.js';
import { MembersResponse, MeResponse, RoleRequest } from './members.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';

const MEMBERS = new PagedList({ createdAt: INSTANT, id: UUID });

@ApiTags('People and tokens')
@ApiBearerAuth()
@Controller('api/v1')
export class MembersController {
  constructor(
    private readonly memberReader: MemberReader,
    private readonly changeMember: ChangeMember,
  ) {}

  /** The caller: its identity and role. */
  @Get('me')
  @Access('viewer')
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ type: MeResponse })
  me(@Caller() { installationId, role, name, memberId, csrfToken }: Principal): MeResponse {
    return { installationId, role, name, memberId: memberId ?? null, csrfToken: csrfToken ?? null };
  }

  /** Members: people who have signed in, and those who were removed. */
  @Get('members')
  @Access('admin')
  @ApiOkResponse({ type: MembersResponse })
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<MembersResponse> {
    return MEMBERS.page(query, (after, limit) => this.memberReader.list(installationId, after, limit));
  }

  /** Changes the role of a member, from the next request on; invites a person who was removed. */
  @Put('members/:id')
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'it would leave no admin' })
  async setRole(
    @Caller() { installationId }: Principal,
    @Param('id') id: string,
    @Body() { role }: RoleRequest,
  ): Promise<void> {
    const outcome = isUuid(id) ? await this.changeMember.changeMember(installationId, id, role) : 'unknown';
    successOf({ outcome }, ['changed'], CHANGE_MEMBER);
  }

  /** Removes a member with sessions and tokens. Signing in is refused until an admin gives a role anew. */
  @Delete('members/:id')
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'it would leave no admin' })
  async remove(@Caller() { installationId }: Principal, @Param('id') id: string): Promise<void> {
    const outcome = isUuid(id) ? await this.changeMember.changeMember(installationId, id, undefined) : 'unknown';
    successOf({ outcome }, ['changed'], CHANGE_MEMBER);
  }
}
