import { Body, Controller, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { SessionsService } from '../../access/sessions.service.js';
import { SettingsSite } from '../../access/settings-site.service.js';
import { Caller, type Principal } from '../http/principal.js';
import { notFound } from '../http/problems.js';
import { SETTINGS_PATH } from './settings-layout.js';
import { CsrfForm } from './settings-page.dto.js';
import { SettingsPageFilter } from './settings-page.filter.js';

/** Forms of the settings page about a person's own sign-ins. */
@UseFilters(SettingsPageFilter)
@Controller('settings/sessions')
export class SettingsSessionsController {
  constructor(
    private readonly sessionsService: SessionsService,
    private readonly settingsSite: SettingsSite,
  ) {}

  @Post(':id/end')
  @RouteConfig({ formBody: true })
  @Access('viewer')
  @ApiExcludeEndpoint()
  async end(
    @Caller() { installationId, memberId }: Principal,
    @Param('id') id: string,
    @Body() _form: CsrfForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isUuid(id) || !(await this.sessionsService.endOwn(installationId, memberId, id))) {
      throw notFound(message('problem.not-found.session'));
    }
    await reply.redirect(SETTINGS_PATH, 303);
  }

  @Post('end-others')
  @RouteConfig({ formBody: true })
  @Access('viewer')
  @ApiExcludeEndpoint()
  async endOthers(
    @Caller() { installationId, memberId }: Principal,
    @Req() request: FastifyRequest,
    @Body() _form: CsrfForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sessionsService.endOthers(installationId, memberId, this.settingsSite.sessionIdOf(request));
    await reply.redirect(SETTINGS_PATH, 303);
  }
}
