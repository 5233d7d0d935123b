import { Body, Controller, Get, Header, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint, ApiFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { SettingsSite } from '../../access/settings-site.service.js';
import { SessionsService } from '../../access/sessions.service.js';
import { BeginAuthorization } from '../../installations/connect/begin-authorization.js';
import { IdentifyCaller } from '../http/identify-caller.js';
import { problem } from '../http/problems.js';
import { ReadSettingsView } from './read-settings-view.js';
import { messagePage } from './settings-layout.js';
import { CsrfForm } from './settings-page.dto.js';
import { SettingsPageFilter } from './settings-page.filter.js';
import { settingsPage } from './settings.page.js';
import { SETTINGS_STYLE } from './settings.style.js';

const HTML = 'text/html; charset=utf-8';

/** The settings page of an installation; members sign in through the platform. */
@ApiTags('Settings page')
@UseFilters(SettingsPageFilter)
@Controller('settings')
export class SettingsPageController {
  constructor(
    private readonly identifyCaller: IdentifyCaller,
    private readonly beginAuthorization: BeginAuthorization,
    private readonly sessionsService: SessionsService,
    private readonly settingsSite: SettingsSite,
    private readonly readSettingsView: ReadSettingsView,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Open the settings page',
    description: 'For browsers: the connection, members and API tokens. Redirects to the platform for a sign-in first.',
  })
  @Access('public')
  @ApiOkResponse({ description: 'the page' })
  @ApiFoundResponse({ description: 'to the sign-in of the platform' })
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.header('cache-control', 'no-store');
    const caller =
      this.settingsSite.sessionIdOf(request) === undefined ? undefined : await this.identifyCaller.identify(request);
    if (caller?.csrfToken === undefined) {
      await this.redirectToPlatform(request, reply, 'sign-in');
      return;
    }
    await reply
      .type(HTML)
      .send(
        settingsPage(
          await this.readSettingsView.readView(caller, this.settingsSite.sessionIdOf(request)),
          caller.csrfToken,
        ),
      );
  }

  @Get('sign-in')
  @ApiOperation({
    summary: 'Sign in again',
    description: 'Replaces a session that is too old for an action that needs a recent sign-in.',
  })
  @Access('public')
  @ApiFoundResponse({ description: 'to the sign-in of the platform' })
  async signInAgain(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.header('cache-control', 'no-store');
    await this.redirectToPlatform(request, reply, 'sign-in-again');
  }

  @Get('style.css')
  @Access('public')
  @ApiExcludeEndpoint()
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=300')
  style(): string {
    return SETTINGS_STYLE;
  }

  /** Responds with a page: a redirect to the settings would sign in again at once. */
  @Post('sign-out')
  @HttpCode(200)
  @RouteConfig({ formBody: true })
  @Access('viewer')
  @ApiExcludeEndpoint()
  async signOut(@Req() request: FastifyRequest, @Body() _form: CsrfForm, @Res() reply: FastifyReply): Promise<void> {
    await this.sessionsService.end(this.settingsSite.sessionIdOf(request) ?? '');
    await reply
      .headers({ 'cache-control': 'no-store', 'set-cookie': this.settingsSite.clearCookieHeader() })
      .type(HTML)
      .send(messagePage('Signed out', 'You are signed out of the connector.', 'Sign in again'));
  }

  private async redirectToPlatform(
    request: FastifyRequest,
    reply: FastifyReply,
    purpose: 'sign-in' | 'sign-in-again',
  ): Promise<void> {
    const begun = await this.beginAuthorization.begin(purpose, request.ip);
    if (begun === undefined) {
      const detail = message('problem.too-many-attempts.detail');
      throw problem('too-many-attempts', detail, { headers: { 'retry-after': '600' } });
    }
    const { location, cookie } = begun;
    await reply.header('set-cookie', cookie).redirect(location, 302);
  }
}
