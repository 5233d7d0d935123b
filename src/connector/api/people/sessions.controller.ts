import { Controller, Delete, Get, Header, HttpCode, Param, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { SessionsService } from '../../access/sessions.service.js';
import { ConnectorSite } from '../../access/connector-site.js';
import { Caller, type Principal } from '../http/principal.js';
import { notFound } from '../http/problems.js';
import { EndedSessionsResponse, SessionsResponse } from './sessions.dto.js';

/** A person's own sign-ins, in every browser. */
@ApiTags('People and tokens')
@Controller('api/v1/sessions')
export class SessionsController {
  constructor(
    private readonly sessionsService: SessionsService,
    private readonly connectorSite: ConnectorSite,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List own sessions',
    description:
      'The caller’s own sessions: those of the member whose session or token it is; none for a token that the operator created.',
  })
  @Access('viewer')
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ type: SessionsResponse })
  async list(
    @Caller() { installationId, memberId }: Principal,
    @Req() request: FastifyRequest,
  ): Promise<SessionsResponse> {
    const current = this.connectorSite.sessionIdOf(request);
    return { data: await this.sessionsService.list(installationId, memberId, current) };
  }

  @Delete('current')
  @ApiOperation({
    summary: 'Sign out',
    description: 'Ends the session of the request, from its next request on, also for a copy of its cookie.',
  })
  @HttpCode(204)
  @Access('viewer')
  @ApiNoContentResponse({ description: 'the cookie is deleted' })
  @ApiNotFoundResponse({ description: 'a program has none' })
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const sessionId = this.connectorSite.sessionIdOf(request);
    if (sessionId === undefined) {
      throw notFound(message('problem.not-found.session'));
    }
    await this.sessionsService.end(sessionId);
    void reply.headers({ 'set-cookie': this.connectorSite.clearCookieHeader(), 'cache-control': 'no-store' });
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'End a session',
    description: 'Ends one of the caller’s own sessions, from its next request on.',
  })
  @HttpCode(204)
  @Access('viewer')
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ description: 'the caller has no such session' })
  async end(@Caller() { installationId, memberId }: Principal, @Param('id') id: string): Promise<void> {
    if (!isUuid(id) || !(await this.sessionsService.endOwn(installationId, memberId, id))) {
      throw notFound(message('problem.not-found.session'));
    }
  }

  @Delete()
  @ApiOperation({
    summary: 'End all other sessions',
    description: 'Ends all of the caller’s own sessions but the one of this request.',
  })
  @HttpCode(200)
  @Access('viewer')
  @ApiOkResponse({ type: EndedSessionsResponse })
  async endOthers(
    @Caller() { installationId, memberId }: Principal,
    @Req() request: FastifyRequest,
  ): Promise<EndedSessionsResponse> {
    const current = this.connectorSite.sessionIdOf(request);
    return { ended: await this.sessionsService.endOthers(installationId, memberId, current) };
  }
}
