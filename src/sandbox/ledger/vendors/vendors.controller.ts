import { Body, Controller, Get, Headers, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiHeader, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { Problem } from '../../../foundation/http/problem.js';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { CompanyMasterData } from '../companies/company-master-data.js';
import { PageQuery, type Page } from '../http/page.js';
import { CreateVendor } from './create-vendor.js';
import { CreatedVendorDto, NewVendorDto, StoredVendorDto, VendorPage, VendorsDto } from './vendor.dto.js';
import { VendorRepository } from './vendor.repository.js';

@CompanyRoutes('vendors')
@Controller('companies/:companyId/vendors')
export class VendorsController {
  constructor(
    private readonly companyMasterData: CompanyMasterData,
    private readonly vendorRepository: VendorRepository,
    private readonly createVendor: CreateVendor,
  ) {}

  @Get()
  @ApiOkResponse({ type: VendorPage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<StoredVendorDto>> {
    return this.companyMasterData.readPage(this.vendorRepository, companyId, query);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Vendors with the same number are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: VendorsDto): Promise<void> {
    await this.companyMasterData.save(this.vendorRepository, companyId, body.data);
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
    return this.createVendor.createVendor(companyId, key, body);
  }
}
