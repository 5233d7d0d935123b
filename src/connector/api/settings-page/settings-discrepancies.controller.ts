import { Body, Controller, Param, Post, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { ReconciliationService } from '../../reconciliation/reconciliation.service.js';
import { performDiscrepancyAction } from '../http/discrepancy-action.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { SETTINGS_PATH } from './settings-layout.js';
import { DiscrepancyForm } from './settings-page.dto.js';
import { SettingsPageFilter } from './settings-page.filter.js';

/** What a bookkeeper decides about discrepancies on the settings page. */
@UseFilters(SettingsPageFilter)
@Controller('settings/discrepancies')
export class SettingsDiscrepanciesController {
  constructor(private readonly reconciliationService: ReconciliationService) {}

  @Post(':id/actions')
  @RouteConfig({ formBody: true })
  @Access('bookkeeper')
  @RecentSignIn()
  @ApiExcludeEndpoint()
  async act(
    @Caller() { installationId, name }: Principal,
    @Param('id') id: string,
    @Body() { action, note }: DiscrepancyForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await performDiscrepancyAction(this.reconciliationService, installationId, id, {
      action,
      note,
      by: name,
    });
    await reply.redirect(`${SETTINGS_PATH}#reconciliation`, 303);
  }
}
