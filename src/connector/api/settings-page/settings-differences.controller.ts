import { Body, Controller, Param, Post, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { ReconciliationService } from '../../reconciliation/reconciliation.service.js';
import { actOrProblem } from '../http/act-or-problem.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { SETTINGS_PATH } from './settings-layout.js';
import { DifferenceForm } from './settings-page.dto.js';
import { SettingsPageFilter } from './settings-page.filter.js';

/** What a bookkeeper decides about differences on the settings page. */
@UseFilters(SettingsPageFilter)
@Controller('settings/differences')
export class SettingsDifferencesController {
  constructor(private readonly reconciliation: ReconciliationService) {}

  @Post(':id/actions')
  @RouteConfig({ formBody: true })
  @Access('bookkeeper')
  @RecentSignIn()
  @ApiExcludeEndpoint()
  async act(
    @Caller() { installationId, name }: Principal,
    @Param('id') id: string,
    @Body() { action, note }: DifferenceForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await actOrProblem(this.reconciliation, installationId, id, { action, note, by: name });
    await reply.redirect(`${SETTINGS_PATH}#reconciliation`, 303);
  }
}
