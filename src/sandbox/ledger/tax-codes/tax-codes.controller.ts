import { Body, Controller, Get, HttpCode, Param, Put, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { CompanyGuard } from '../access/company.guard.js';
import { mapConstraintErrors } from '../http/constraint-problem.js';
import { PageQuery, startOfPage, toPage, type Page } from '../http/page.js';
import { TaxCodeDto, TaxCodePage, TaxCodesDto } from './tax-code.dto.js';
import { TaxCodeRepository } from './tax-code.repository.js';

@ApiTags('tax codes')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/tax-codes')
export class TaxCodesController {
  constructor(
    private readonly database: Database,
    private readonly taxCodeRepository: TaxCodeRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: TaxCodePage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<TaxCodeDto>> {
    const start = startOfPage(query, 1);
    const rows = await this.database.inTransaction('tax-codes.page', (tx) =>
      this.taxCodeRepository.page(tx, companyId, start),
    );
    return toPage(query, rows, (taxCode) => [taxCode.code]);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Tax codes with the same code are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: TaxCodesDto): Promise<void> {
    await mapConstraintErrors(
      this.database.inTransaction('tax-codes.put', (tx) =>
        this.taxCodeRepository.upsert(tx, companyId, body.data),
      ),
    );
  }
}
