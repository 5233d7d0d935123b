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
import { MemberReader } from '../../access/member.reader.js';
import { ChangeMember } from '../../access/change-member.js';
import { decodeCursor, encodeCursor, INSTANT, UUID } from '../http/cursor.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import { assertMemberChanged } from './member-problems.js';
import { MembersResponse, MeResponse, RoleRequest } from './members.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';

@ApiTags('People and tokens')
@ApiBearerAuth()
@Controller('api/v1')
export class MembersController {
  constructor(
    private readonly memberReader: MemberReader,
    private readonly changeMember: ChangeMember,
  ) {}

  /** Who you are here, and what you may do. */
  @Get('me')
  @Access('viewer')
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ type: MeResponse })
  me(@Caller() { installationId, role, name, memberId, csrfToken }: Principal): MeResponse {
    return { installationId, role, name, memberId: memberId ?? null, csrfToken: csrfToken ?? null };
  }

  /** Everybody who has signed in. */
  @Get('members')
  @Access('admin')
  @ApiOkResponse({ type: MembersResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() { after, limit }: PageQuery,
  ): Promise<MembersResponse> {
    const [createdAt, id] = after === undefined ? [] : decodeCursor(after, [INSTANT, UUID]);
    const position =
      createdAt === undefined || id === undefined ? undefined : { createdAt: new Date(createdAt), id };
    const found = await this.memberReader.list(installationId, position, limit + 1);
    const data = found.slice(0, limit);
    const last = found.length > limit ? data.at(-1) : undefined;
    return {
      data,
      nextCursor: last === undefined ? null : encodeCursor([last.createdAt.toISOString(), last.id]),
    };
  }

  /** Gives a member another role, which counts from the next request on. */
  @Put('members/:id')
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'nobody could grant roles any more' })
  async setRole(
    @Caller() { installationId }: Principal,
    @Param('id') id: string,
    @Body() { role }: RoleRequest,
  ): Promise<void> {
    assertMemberChanged(
      isUuid(id) ? await this.changeMember.changeMember(installationId, id, role) : 'unknown',
    );
  }

  /** Takes membership away, with sessions and tokens. Whom the platform lets in again begins as a viewer. */
  @Delete('members/:id')
  @HttpCode(204)
  @Access('admin')
  @RecentSignIn()
  @ApiNoContentResponse()
  @ApiNotFoundResponse()
  @ApiConflictResponse({ description: 'nobody could grant roles any more' })
  async remove(@Caller() { installationId }: Principal, @Param('id') id: string): Promise<void> {
    assertMemberChanged(
      isUuid(id) ? await this.changeMember.changeMember(installationId, id, undefined) : 'unknown',
    );
  }
}
