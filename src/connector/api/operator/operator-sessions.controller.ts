import { Controller, Delete, Get, HttpCode, Put, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { bearerTokenOf } from '../../../foundation/http/bearer-token.js';
import { message } from '../../../kernel/message.js';
import { OPERATOR_SESSION_SECONDS, OperatorSessionsService } from '../../access/operator-sessions.service.js';
import { ConnectorSite } from '../../access/connector-site.js';
import { findOperator } from '../http/identify-operator.js';
import { problem } from '../http/problems.js';
import { OperatorSessionResponse } from './operator.dto.js';

/** The session of an operator's browser: the token is typed once and goes no further than the first request. */
@ApiTags('Operator')
@Controller('api/v1/operator/session')
export class OperatorSessionsController {
  constructor(
    private readonly operatorSessionsService: OperatorSessionsService,
    private readonly connectorSite: ConnectorSite,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read who operates', description: 'The name of the token, or of the session.' })
  @Access('operator')
  @ApiOkResponse({ type: OperatorSessionResponse })
  show(@Req() request: FastifyRequest): OperatorSessionResponse {
    return { name: findOperator(request) ?? '' };
  }

  @Put()
  @ApiOperation({
    summary: 'Begin a session in a browser',
    description:
      'Sets a cookie (HttpOnly, SameSite=Strict) that stands for the token of this request for an hour, and no longer than the token is valid.',
  })
  @HttpCode(204)
  @Access('operator')
  @ApiNoContentResponse()
  async begin(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const token = bearerTokenOf(request);
    if (token === undefined) {
      // A session does not prolong itself.
      throw problem('not-authenticated', message('problem.not-authenticated.operator'), {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    const id = await this.operatorSessionsService.begin(token);
    reply.header('set-cookie', this.connectorSite.operatorCookieHeader(id, OPERATOR_SESSION_SECONDS));
  }

  @Delete()
  @ApiOperation({ summary: 'End the session of the browser', description: 'Deletes the session and its cookie.' })
  @HttpCode(204)
  @Access('operator')
  @ApiNoContentResponse()
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const id = this.connectorSite.operatorSessionIdOf(request);
    if (id !== undefined) {
      await this.operatorSessionsService.end(id);
    }
    reply.header('set-cookie', this.connectorSite.operatorCookieHeader('', 0));
  }
}
