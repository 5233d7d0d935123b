import { Body, Controller, HttpCode, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { ApiTokensService } from '../../access/api-tokens.service.js';
import { ChangeMember } from '../../access/change-member.js';
import { CreateApiToken } from '../../access/create-api-token.js';
import { SettingsSite } from '../../access/settings-site.service.js';
import { CHANGE_MEMBER, CLAIM_FIRST_ADMIN, CREATE_API_TOKEN, successOf } from '../http/outcome-problems.js';
import { FirstAdmin } from '../../installations/connect/first-admin.js';
import { Caller, tokenCreatorOf, type Principal } from '../http/principal.js';
import { notFound, problem } from '../http/problems.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { ReadSettingsView } from './read-settings-view.js';
import { messagePage, SETTINGS_PATH } from './settings-layout.js';
import { ApiTokenForm, CsrfForm, FirstAdminForm, RoleForm } from './settings-page.dto.js';
import { SettingsPageFilter } from './settings-page.filter.js';
import { settingsPage } from './settings.page.js';

const HTML = 'text/html; charset=utf-8';

/** Forms of the settings page about members and API tokens. */
@UseFilters(SettingsPageFilter)
@Controller('settings')
export class SettingsAccessController {
  constructor(
    private readonly changeMember: ChangeMember,
    private readonly firstAdmin: FirstAdmin,
    private readonly createApiToken: CreateApiToken,
    private readonly apiTokensService: ApiTokensService,
    private readonly settingsSite: SettingsSite,
    private readonly readSettingsView: ReadSettingsView,
  ) {}

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
    const outcome = isUuid(id) ? await this.changeMember.changeMember(installationId, id, role) : 'unknown';
    successOf({ outcome }, ['changed'], CHANGE_MEMBER);
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
    const outcome = isUuid(id) ? await this.changeMember.changeMember(installationId, id, undefined) : 'unknown';
    successOf({ outcome }, ['changed'], CHANGE_MEMBER);
    if (id === memberId) {
      const page = messagePage('Removed', 'You are no longer a member.', 'Sign in again');
      await reply.header('set-cookie', this.settingsSite.clearCookieHeader()).type(HTML).send(page);
      return;
    }
    await reply.redirect(SETTINGS_PATH, 303);
  }

  /** For a person who has signed in to a company without an admin, with the code that the operator has created. */
  @Post('first-admin')
  @RouteConfig({ formBody: true })
  @Access('viewer')
  @ApiExcludeEndpoint()
  async claimFirstAdmin(
    @Caller() { installationId, memberId }: Principal,
    @Body() { code }: FirstAdminForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (memberId === undefined) {
      throw problem('forbidden', message('problem.forbidden.person-needed'));
    }
    const outcome = await this.firstAdmin.claim(installationId, memberId, code);
    successOf({ outcome }, ['claimed'], CLAIM_FIRST_ADMIN);
    await reply.redirect(SETTINGS_PATH, 303);
  }

  /** The response itself shows the token, which is not stored: a redirect could not. */
  @Post('api-tokens')
  @HttpCode(200)
  @RouteConfig({ formBody: true })
  @Access('admin')
  @RecentSignIn()
  @ApiExcludeEndpoint()
  async createToken(
    @Caller() caller: Principal,
    @Body() { role, label, days }: ApiTokenForm,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = { role, label, days };
    const created = await this.createApiToken.createToken(caller.installationId, wanted, tokenCreatorOf(caller));
    const { token } = successOf(created, ['created'], CREATE_API_TOKEN);
    const page = settingsPage(
      await this.readSettingsView.readView(caller, this.settingsSite.sessionIdOf(request)),
      caller.csrfToken ?? '',
      {
        label,
        token,
      },
    );
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
      throw notFound(message('problem.not-found.api-token'));
    }
    await reply.redirect(SETTINGS_PATH, 303);
  }
}
