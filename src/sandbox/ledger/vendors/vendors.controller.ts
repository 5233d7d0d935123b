import { Body, Controller, Get, Headers, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { CompanyGuard } from '../access/company.guard.js';
import { mapConstraintErrors } from '../http/constraint-problem.js';
import { PageQuery, startOfPage, toPage, type Page } from '../http/page.js';
import { CreateVendor } from './create-vendor.js';
import { CreatedVendorDto, NewVendorDto, StoredVendorDto, VendorPage, VendorsDto } from './vendor.dto.js';
import { VendorRepository } from './vendor.repository.js';

@ApiTags('vendors')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/vendors')
export class VendorsController {
  constructor(
    private readonly database: Database,
    private readonly vendorRepository: VendorRepository,
    private readonly createVendor: CreateVendor,
  ) {}

  @Get()
  @ApiOkResponse({ type: VendorPage })
  async list(
    @Param('companyId') companyId: string,
    @Query() query: PageQuery,
  ): Promise<Page<StoredVendorDto>> {
    const start = startOfPage(query, 1);
    const rows = await this.database.inTransaction('vendors.page', (tx) =>
      this.vendorRepository.page(tx, companyId, start),
    );
    return toPage(query, rows, (vendor) => [vendor.number]);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Vendors with the same number are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: VendorsDto): Promise<void> {
    await mapConstraintErrors(
      this.database.inTransaction('vendors.put', (tx) =>
        this.vendorRepository.upsert(tx, companyId, body.data),
      ),
    );
  }

  @Post()
  @HttpCode(200)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Names this creation; or "key" of the body.',
  })
  @ApiOkResponse({ type: CreatedVendorDto })
  async create(
    @Param('companyId') companyId: string,
    @Headers('idempotency-key') header: string | undefined,
    @Body() body: NewVendorDto,
  ): Promise<CreatedVendorDto> {
    const key = header ?? body.key ?? '';
    if (key === '' || key.length > 255) {
      throw new Problem({
        status: 400,
        type: 'key-missing',
        detail:
          'Creating a vendor needs a key of at most 255 characters: header Idempotency-Key, or "key" in the body.',
      });
    }
    return mapConstraintErrors(this.createVendor.createVendor(companyId, key, body));
  }
}
