import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, FromOtherSite } from '../../../foundation/http/access.js';
import { callbackQuery, requireVisible } from '../../../foundation/http/oauth/callback-query.js';
import { CompleteErpSignIn } from '../../erp-connections/sign-in/complete-erp-sign-in.js';
import { COMPLETE_ERP_SIGN_IN, successOf } from '../http/outcome-problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { messagePage } from './settings-layout.js';
import { SettingsPageFilter } from './settings-page.filter.js';

/** Where the browser returns from the sign-in at an ERP; its address is registered there. */
@UseFilters(SettingsPageFilter)
@Controller('settings')
export class ErpCallbackController {
  constructor(private readonly completeErpSignIn: CompleteErpSignIn) {}

  @Get('erp-sign-in')
  @Access('admin')
  @FromOtherSite()
  @ApiExcludeEndpoint()
  async complete(
    @Caller() { installationId, memberId, name }: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = callbackQuery(request.url);
    requireVisible(query, 'state');
    if (!query.has('error')) {
      requireVisible(query, 'code');
    }
    const completed = await this.completeErpSignIn.complete(installationId, query, { memberId, name });
    const { companies } = successOf(completed, ['connected'], COMPLETE_ERP_SIGN_IN);
    const opened = `${companies.length.toString()} ${companies.length === 1 ? 'company' : 'companies'}`;
    const text = `The accounting system is connected. The sign-in opens ${opened}; one of them is linked with PUT /api/v1/erp-company, unless that was done before.`;
    const page = messagePage('Connected', text, 'Back to the settings');
    await reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page);
  }
}
