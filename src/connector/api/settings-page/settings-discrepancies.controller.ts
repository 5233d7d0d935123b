import { Body, Controller, Param, Post, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { isUuid } from '../../../kernel/ids.js';
import { ActOnDiscrepancy } from '../../reconciliation/actions/act-on-discrepancy.js';
import { ACT_ON_DISCREPANCY, successOf } from '../http/outcome-problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { SETTINGS_PATH } from './settings-layout.js';
import { DiscrepancyForm } from './settings-page.dto.js';
import { SettingsPageFilter } from './settings-page.filter.js';

/** Actions of bookkeepers on discrepancies, from the settings page. */
@UseFilters(SettingsPageFilter)
@Controller('settings/discrepancies')
export class SettingsDiscrepanciesController {
  constructor(private readonly actOnDiscrepancy: ActOnDiscrepancy) {}

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
    const acted = isUuid(id)
      ? await this.actOnDiscrepancy.act(installationId, id.toLowerCase(), { action, note, by: name })
      : ({ outcome: 'unknown' } as const);
    successOf(acted, ['done'], ACT_ON_DISCREPANCY);
    await reply.redirect(`${SETTINGS_PATH}#reconciliation`, 303);
  }
}
