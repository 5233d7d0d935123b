import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { ConnectorSite } from '../../access/connector-site.js';
import { BeginAuthorization } from '../../installations/connect/begin-authorization.js';
import { problem } from '../http/problems.js';
import { AppSignInQuery } from './app-page.dto.js';
import { BuiltPage } from './built-page.js';

/**
 * The page for people. What it is made of is the same for all and holds no data: it is served without a session, and
 * reads everything by `/api/v1`.
 */
@ApiExcludeController()
@Controller('app')
export class AppPageController {
  private readonly page = new BuiltPage('index.html');

  constructor(
    private readonly beginAuthorization: BeginAuthorization,
    private readonly connectorSite: ConnectorSite,
  ) {}

  /** Begins a sign-in that ends at the page it was begun from. */
  @Get('sign-in')
  @Access('public')
  async signIn(
    @Req() request: FastifyRequest,
    @Query() { to, again }: AppSignInQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const begun = await this.beginAuthorization.begin(again === undefined ? 'sign-in' : 'sign-in-again', request.ip);
    if (begun === undefined) {
      const detail = message('problem.too-many-attempts.detail');
      throw problem('too-many-attempts', detail, { headers: { 'retry-after': '600' } });
    }
    const cookies = [begun.cookie, this.connectorSite.returnCookieHeader(to ?? '/app')];
    await reply.headers({ 'set-cookie': cookies, 'cache-control': 'no-store' }).redirect(begun.location, 302);
  }

  /** Every address of the page is the same file: its router reads the address. */
  @Get(['', '*'])
  @Access('public')
  async show(@Res() reply: FastifyReply): Promise<void> {
    await this.page.send(reply);
  }
}
