import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { CompanyGuard } from '../access/company.guard.js';
import { TabularResponse } from '../http/tabular-response.js';
import { ApAgeingDto, ApAgeingQuery } from './ap-ageing.dto.js';
import { apAgeingSheet } from './ap-ageing.sheet.js';
import { ShowApAgeing } from './show-ap-ageing.js';

const DESCRIPTION = `What is open at the end of a day, per vendor and currency, by days after the due date. The base total is the
balance of all vendors’ lines posted by then. Realized exchange differences have no column: an item leaves with its own base
amount when it is settled, what the two sides differ by is on the realized-fx entry of the settlement, and both together are
in the balance. Lines in base only that belong to no settlement stand in “baseOnly”.`;

@ApiTags('reports')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/ap-ageing')
export class ApAgeingController {
  constructor(private readonly showApAgeing: ShowApAgeing) {}

  @Get()
  @TabularResponse(ApAgeingDto, apAgeingSheet, DESCRIPTION)
  async show(@Param('companyId') companyId: string, @Query() query: ApAgeingQuery): Promise<ApAgeingDto> {
    return this.showApAgeing.readPage(companyId, query);
  }
}
