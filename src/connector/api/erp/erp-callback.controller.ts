import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, FromOtherSite } from '../../../foundation/http/access.js';
import { callbackQuery, requireVisible } from '../../../foundation/http/oauth/callback-query.js';
import { message } from '../../../kernel/message.js';
import { CompleteErpSignIn } from '../../erp-connections/sign-in/complete-erp-sign-in.js';
import { COMPLETE_ERP_SIGN_IN, successOf } from '../http/outcome-problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { ProblemPageFilter } from '../http/problem-page.filter.js';

/** The set-up on the page for people, where the sign-in was begun. */
const SETUP_PAGE = '/app/setup';

/** Where the browser returns from the sign-in at an ERP. Deployments have registered this address there: it stays. */
@UseFilters(new ProblemPageFilter({ path: SETUP_PAGE, words: message('way-on.back-to-set-up') }))
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
    // The page says it: how many companies the sign-in opens, of which one is chosen there.
    await reply
      .header('cache-control', 'no-store')
      .redirect(`${SETUP_PAGE}?opened=${companies.length.toString()}`, 302);
  }
}
