import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ControlApi } from '../access/access-rules.js';
import { exportsPage } from './views/exports.page.js';
import { LoadExportsView } from './load-exports-view.js';
import { LoadSignInView } from './load-sign-in-view.js';
import { noticeOf } from './page-actions.js';
import { PageResponse } from './page-response.js';
import { PAGE_SCRIPT } from './views/page-script.js';
import { PageSession } from './page-session.js';
import { signInPage } from './views/sign-in.page.js';

/** The bookkeeper's page: expenses, exports with the result of each item, the connected application. */
@ApiExcludeController()
@ControlApi()
@Controller()
export class ExportsPageController {
  constructor(
    private readonly pageSession: PageSession,
    private readonly loadSignInView: LoadSignInView,
    private readonly loadExportsView: LoadExportsView,
  ) {}

  @Get('/')
  @PageResponse()
  async show(@Req() request: FastifyRequest): Promise<string> {
    const notice = noticeOf(request);
    const visitor = await this.pageSession.visitor(request);
    return visitor === undefined
      ? signInPage({ ...(await this.loadSignInView.loadView()), notice })
      : exportsPage(await this.loadExportsView.loadView(visitor, notice));
  }

  @Get('page/script.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  script(): string {
    return PAGE_SCRIPT;
  }
}
