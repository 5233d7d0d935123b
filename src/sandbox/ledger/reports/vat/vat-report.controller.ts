import { Controller, Get, Param, Query } from '@nestjs/common';
import { CompanyRoutes } from '../../access/company-routes.decorator.js';
import { TabularResponse } from '../../http/tabular-response.js';
import { ShowVatReport } from './show-vat-report.js';
import { VatLinePage, VatLinesQuery, VatReportDto, VatReportQuery } from './vat-report.dto.js';
import { vatLinesSheet, vatReportSheet } from './vat-report.sheet.js';

const VAT_REPORT = `Tax by code over the posting dates of a period, in the functional currency: base, tax, its deductible and
non-deductible part, both sides of reverse charges. The tax accounts follow with their movement in the trial balance; a
difference is what was posted to them without tax details. As CSV, “kind” says what a row is.`;

@CompanyRoutes('reports')
@Controller('companies/:companyId/vat-report')
export class VatReportController {
  constructor(private readonly showVatReport: ShowVatReport) {}

  @Get()
  @TabularResponse(VatReportDto, vatReportSheet, VAT_REPORT)
  async report(@Param('companyId') companyId: string, @Query() query: VatReportQuery): Promise<VatReportDto> {
    return this.showVatReport.showVatReport(companyId, query);
  }

  @Get('lines')
  @TabularResponse(
    VatLinePage,
    vatLinesSheet,
    'What each line adds to the numbers of the VAT report, with its entry, by posting date, entry and line.',
  )
  async lines(@Param('companyId') companyId: string, @Query() query: VatLinesQuery): Promise<VatLinePage> {
    return this.showVatReport.showVatLines(companyId, query);
  }
}
