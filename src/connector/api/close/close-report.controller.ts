import { Controller, Get, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiProduces, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { formatMinor } from '../../../kernel/money.js';
import { CompileCloseReport } from '../../reconciliation/close-report/compile-close-report.js';
import type { CloseReport } from '../../reconciliation/domain/close-report.js';
import { CloseReportQuery, CloseReportResponse } from './close-report.dto.js';
import { closeReportCsv, closeReportXlsx, closeReportPage } from './close-report.writers.js';
import { REPORT_POLICY, XLSX } from './report-files.js';
import { moneyOf } from '../http/money.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { Download, Rows, type RowCount } from '../downloads/download.interceptor.js';
import { fileDownload } from '../downloads/file-download.js';
import { notFound } from '../http/problems.js';

const TEXT = { type: 'string' } as const;

const MONTH = /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/;

@ApiTags('Reconciliation')
@ApiExtraModels(CloseReportResponse)
@Controller('api/v1/close-reports')
export class CloseReportController {
  constructor(private readonly compileCloseReport: CompileCloseReport) {}

  @Get(':month')
  @ApiOperation({
    summary: 'Read the report of a month of exports',
    deprecated: true,
    description: 'By month of export. `GET /api/v1/month-ends/{month}` has the month by posting date.',
  })
  @Download()
  @Access('viewer')
  @ApiProduces('application/json', 'text/csv', 'text/html', XLSX)
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(CloseReportResponse) } },
      'text/csv': { schema: TEXT },
      'text/html': { schema: TEXT },
      [XLSX]: { schema: { type: 'string', format: 'binary' } },
    },
  })
  async read(
    @Caller() { installationId }: Principal,
    @Param('month') month: string,
    @Query() { format }: CloseReportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Rows() rows: RowCount,
  ): Promise<CloseReportResponse | StreamableFile | string> {
    const report = MONTH.test(month) ? await this.compileCloseReport.compile(installationId, month) : undefined;
    if (report === undefined) {
      throw notFound('There is no such month: a month is written as 2026-03.');
    }
    const response = toResponse(report);
    rows.count = report.accounts.length + report.discrepancies.length;
    switch (format) {
      case 'json':
        return response;
      case 'csv':
        return fileDownload(closeReportCsv(response), {
          name: `close-${month}.csv`,
          type: 'text/csv; charset=utf-8; header=present',
        });
      case 'xlsx':
        return fileDownload(await closeReportXlsx(response), { name: `close-${month}.xlsx`, type: XLSX });
      case 'html':
        void reply.headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': REPORT_POLICY,
        });
        return closeReportPage(response);
    }
  }
}

function toResponse(report: CloseReport): CloseReportResponse {
  return {
    ...report,
    reconciledAt: report.reconciledAt ?? null,
    explained: report.explained.map(({ currency, totalMinor, explainedMinor, fraction }) => ({
      currency,
      total: formatMinor(totalMinor, currency),
      explained: formatMinor(explainedMinor, currency),
      totalMoney: moneyOf(totalMinor, currency),
      explainedMoney: moneyOf(explainedMinor, currency),
      fraction,
    })),
    accounts: report.accounts.map(({ currency, accountCode, debitMinor, creditMinor }) => ({
      currency,
      accountCode,
      debit: formatMinor(debitMinor, currency),
      credit: formatMinor(creditMinor, currency),
      debitMoney: moneyOf(debitMinor, currency),
      creditMoney: moneyOf(creditMinor, currency),
    })),
    discrepancies: report.discrepancies.map(({ currency, amountMinor, note, ...discrepancy }) => ({
      ...discrepancy,
      currency: currency ?? null,
      amount: currency === undefined || amountMinor === undefined ? null : formatMinor(amountMinor, currency),
      money: moneyOf(amountMinor, currency),
      note: note ?? null,
    })),
  };
}
