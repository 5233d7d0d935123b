import { Body, Controller, Get, Header, HttpCode, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint, ApiFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { ApiTokensService } from '../../access/api-tokens.service.js';
import { CreateApiToken } from '../../access/create-api-token.js';
import { ChangeMember } from '../../access/change-member.js';
import { SettingsSite } from '../../access/settings-site.service.js';
import { SessionsService } from '../../access/sessions.service.js';
import { BeginAuthorization } from '../../installations/connect/begin-authorization.js';
import { createdTokenOrThrow } from '../people/api-token-problems.js';
import { IdentifyCaller } from '../http/identify-caller.js';
import { assertMemberChanged } from '../people/member-problems.js';
import { Caller, tokenCreatorOf, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { ReadSettingsView } from './read-settings-view.js';
import { messagePage, SETTINGS_PATH } from './settings-layout.js';
import { ApiTokenForm, CsrfForm, RoleForm } from './settings-page.dto.js';
import { SettingsPageFilter } from './settings-page.filter.js';
import { settingsPage } from './settings.page.js';
import { SETTINGS_STYLE } from './settings.style.js';

const HTML = 'text/html; charset=utf-8';

/** The page of an installation for people, who sign in through the platform. */
@ApiTags('Settings page')
@UseFilters(SettingsPageFilter)
@Controller('settings')
export class SettingsPageController {
  constructor(
    private readonly identifyCaller: IdentifyCaller,
    private readonly beginAuthorization: BeginAuthorization,
    private readonly sessionsService: SessionsService,
    private readonly settingsSite: SettingsSite,
    private readonly changeMember: ChangeMember,
    private readonly createApiToken: CreateApiToken,
    private readonly apiTokensService: ApiTokensService,
    private readonly readSettingsView: ReadSettingsView,
  ) {}

  /** For a person's browser: how the company is connected, who may do what, API tokens. Signs in through the platform first. */
  @Get()
  @Access('public')
  @ApiOkResponse({ description: 'the page' })
  @ApiFoundResponse({ description: 'to the platform, which says who is there' })
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.header('cache-control', 'no-store');
    const caller =
      this.settingsSite.sessionIdOf(request) === undefined
        ? undefined
        : await this.identifyCaller.identify(request);
    if (caller?.csrfToken === undefined) {
      await this.redirectToPlatform(reply);
      return;
    }
    await reply.type(HTML).send(settingsPage(await this.readSettingsView.readView(caller), caller.csrfToken));
  }

  /** For a person whose session began too long ago for what they are about to do: a new one takes its place. */
  @Get('sign-in')
  @Access('public')
  @ApiFoundResponse({ description: 'to the platform, which says who is there' })
  async signInAgain(@Res() reply: FastifyReply): Promise<void> {
    void reply.header('cache-control', 'no-store');
    await this.redirectToPlatform(reply);
  }

  @Get('style.css')
  @Access('public')
  @ApiExcludeEndpoint()
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=300')
  style(): string {
    return SETTINGS_STYLE;
  }

  /** Says so in a page: leading back to the settings would lead to the platform, which signs in again at once. */
  @Post('sign-out')
  @HttpCode(200)
  @RouteConfig({ formBody: true })
  @Access('viewer')
  @ApiExcludeEndpoint()
  async signOut(
    @Req() request: FastifyRequest,
    @Body() _form: CsrfForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sessionsService.end(this.settingsSite.sessionIdOf(request) ?? '');
    await reply
      .headers({ 'cache-control': 'no-store', 'set-cookie': this.settingsSite.clearCookieHeader() })
      .type(HTML)
      .send(messagePage('Signed out', 'You are signed out of the connector.', 'Sign in again'));
  }

  @Post('members/:id/role')
  @RouteConfig({ formBody: true })
  @Access('admin')
  @RecentSignIn()
  @ApiExcludeEndpoint()
  async setRole(
    @Caller() { installationId }: Principal,
    @Param('id') id: string,
    @Body() { role }: RoleForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    assertMemberChanged(
      isUuid(id) ? await this.changeMember.changeMember(installationId, id, role) : 'unknown',
    );
    await reply.redirect(SETTINGS_PATH, 303);
  }

  @Post('members/:id/removal')
  @HttpCode(200)
  @RouteConfig({ formBody: true })
  @Access('admin')
  @RecentSignIn()
  @ApiExcludeEndpoint()
  async removeMember(
    @Caller() { installationId, memberId }: Principal,
    @Param('id') id: string,
    @Body() _form: CsrfForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    assertMemberChanged(
      isUuid(id) ? await this.changeMember.changeMember(installationId, id, undefined) : 'unknown',
    );
    if (id === memberId) {
      const page = messagePage('Removed', 'You are no member any more.', 'Sign in again');
      await reply.header('set-cookie', this.settingsSite.clearCookieHeader()).type(HTML).send(page);
      return;
    }
    await reply.redirect(SETTINGS_PATH, 303);
  }

  /** The answer itself shows the token: it is nowhere else, so nothing could be redirected to. */
  @Post('api-tokens')
  @HttpCode(200)
  @RouteConfig({ formBody: true })
  @Access('admin')
  @RecentSignIn()
  @ApiExcludeEndpoint()
  async createToken(
    @Caller() caller: Principal,
    @Body() { role, label, days }: ApiTokenForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = { role, label, days };
    const { token } = await createdTokenOrThrow(
      this.createApiToken.createToken(caller.installationId, wanted, tokenCreatorOf(caller)),
    );
    const page = settingsPage(await this.readSettingsView.readView(caller), caller.csrfToken ?? '', {
      label,
      token,
    });
    await reply.header('cache-control', 'no-store').type(HTML).send(page);
  }

  @Post('api-tokens/:id/revocation')
  @RouteConfig({ formBody: true })
  @Access('admin')
  @RecentSignIn()
  @ApiExcludeEndpoint()
  async revokeToken(
    @Caller() { installationId }: Principal,
    @Param('id') id: string,
    @Body() _form: CsrfForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isUuid(id) || !(await this.apiTokensService.revoke(installationId, id))) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such API token.' });
    }
    await reply.redirect(SETTINGS_PATH, 303);
  }

  private async redirectToPlatform(reply: FastifyReply): Promise<void> {
    const { location, cookie } = await this.beginAuthorization.begin('sign-in');
    await reply.header('set-cookie', cookie).redirect(location, 302);
  }
}
