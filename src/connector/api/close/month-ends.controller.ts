import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiServiceUnavailableResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { EntryFactsReader } from '../../exports/lists/entry-facts.reader.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { CompileMonthEnd } from '../../reconciliation/month-end/compile-month-end.js';
import { SignMonthOff } from '../../reconciliation/month-end/sign-month-off.js';
import { Download, Rows, type RowCount } from '../downloads/download.interceptor.js';
import { fileDownload } from '../downloads/file-download.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { monthNotFound, REOPEN_MONTH, SIGN_MONTH_OFF, successOf } from '../http/outcome-problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { monthEndResponse, signOffResponse } from './month-end-response.js';
import { monthEndCsv, monthEndPage, monthEndXlsx } from './month-end.writers.js';
import {
  MonthEndQuery,
  MonthEndResponse,
  MonthEndsQuery,
  MonthEndsResponse,
  MonthReopeningRequest,
  MonthSignOffRequest,
} from './month-ends.dto.js';
import { REPORT_POLICY, XLSX } from './report-files.js';

const TEXT = { type: 'string' } as const;

@ApiTags('Reconciliation')
@ApiExtraModels(MonthEndResponse)
@Controller('api/v1/month-ends')
export class MonthEndsController {
  constructor(
    private readonly compileMonthEnd: CompileMonthEnd,
    private readonly signMonthOff: SignMonthOff,
    private readonly entryFactsReader: EntryFactsReader,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List month ends',
    description: 'Months in which something was posted, is missing or was signed: how each stands, and who signed it.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: MonthEndsResponse })
  @ApiNotFoundResponse({ description: 'no company of the accounting system is linked, or nothing was posted to it' })
  async list(
    @Caller() { installationId }: Principal,
    @Query() { company }: MonthEndsQuery,
  ): Promise<MonthEndsResponse> {
    const listed = await this.compileMonthEnd.list(installationId, company);
    if (listed === undefined) {
      throw monthNotFound();
    }
    const data = listed.months.map(({ signOff, ...month }) => ({ ...month, signOff: signOffResponse(signOff) }));
    return { erpCompanyId: listed.company, data };
  }

  @Get(':month')
  @ApiOperation({
    summary: 'Read a month end',
    description:
      'A month by posting date: each account in each currency as the connector has posted it beside the ledger’s own balance, what is not in the books yet and who has to act, and what has changed since the month was signed.',
  })
  @Download()
  @Access('viewer')
  @ApiProduces('application/json', 'text/csv', 'text/html', XLSX)
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(MonthEndResponse) } },
      'text/csv': { schema: TEXT },
      'text/html': { schema: TEXT },
      [XLSX]: { schema: { type: 'string', format: 'binary' } },
    },
  })
  @ApiNotFoundResponse({ description: 'no such month, or no such company of the accounting system' })
  async read(
    @Caller() { installationId }: Principal,
    @Param('month') month: string,
    @Query() { company, format }: MonthEndQuery,
    @ReaderLanguage() language: string,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Rows() rows: RowCount,
  ): Promise<MonthEndResponse | StreamableFile | string> {
    const response = await this.respond(installationId, month, company, language);
    rows.count = response.accounts.length + response.missing.length + response.discrepancies.length;
    rows.isShown = format === undefined;
    switch (format ?? 'json') {
      case 'json':
        return response;
      case 'csv':
        return fileDownload(monthEndCsv(response), {
          name: `month-end-${month}.csv`,
          type: 'text/csv; charset=utf-8; header=present',
        });
      case 'xlsx':
        return fileDownload(await monthEndXlsx(response), { name: `month-end-${month}.xlsx`, type: XLSX });
      case 'html':
        void reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': REPORT_POLICY });
        return monthEndPage(response, language);
    }
  }

  @Post(':month/sign-off')
  @ApiOperation({
    summary: 'Sign a month off',
    description:
      'Says with the caller’s name that the month is right, and keeps its figures: a later change is shown. While entries of the month are not in the books, or discrepancies of it are open, a reason is needed. A month can be signed off from its first day.',
  })
  @HttpCode(200)
  @Idempotent()
  @Access('bookkeeper')
  @RecentSignIn()
  @ApiOkResponse({ type: MonthEndResponse })
  @ApiConflictResponse({
    description:
      'entries are missing or discrepancies open and no reason was given, the month has not begun, or it is signed already',
  })
  @ApiServiceUnavailableResponse({ description: 'the accounting system does not tell its balances now' })
  async sign(
    @Caller() { installationId, name }: Principal,
    @Param('month') month: string,
    @Body() { company, reason }: MonthSignOffRequest,
    @ReaderLanguage() language: string,
  ): Promise<MonthEndResponse> {
    const signed = await this.signMonthOff.sign(installationId, { month, company, by: name }, reason);
    successOf(signed, ['signed'], SIGN_MONTH_OFF);
    return this.respond(installationId, month, company, language);
  }

  @Post(':month/reopening')
  @ApiOperation({
    summary: 'Reopen a month',
    description: 'Takes the sign-off back, with a reason. What was signed is kept.',
  })
  @HttpCode(200)
  @Idempotent()
  @Access('bookkeeper')
  @RecentSignIn()
  @ApiOkResponse({ type: MonthEndResponse })
  @ApiConflictResponse({ description: 'the month is not signed' })
  async reopen(
    @Caller() { installationId, name }: Principal,
    @Param('month') month: string,
    @Body() { company, reason }: MonthReopeningRequest,
    @ReaderLanguage() language: string,
  ): Promise<MonthEndResponse> {
    const reopened = await this.signMonthOff.reopen(installationId, { month, company, by: name }, reason);
    successOf(reopened, ['reopened'], REOPEN_MONTH);
    return this.respond(installationId, month, company, language);
  }

  /** @throws Problem 404 */
  private async respond(
    installationId: Principal['installationId'],
    month: string,
    company: string | undefined,
    language: string,
  ): Promise<MonthEndResponse> {
    const report = await this.compileMonthEnd.compile(installationId, month, company);
    if (report === undefined) {
      throw monthNotFound();
    }
    const ids = report.discrepancies.flatMap(({ accountingEntryId }) => accountingEntryId ?? []);
    return monthEndResponse(report, await this.entryFactsReader.read(installationId, ids), language);
  }
}
