import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { MasterDataDto } from './master-data.dto.js';
import { ReadMasterData } from './read-master-data.js';

@CompanyRoutes('companies')
@Controller('companies/:companyId/master-data')
export class MasterDataController {
  constructor(private readonly readMasterData: ReadMasterData) {}

  @Get()
  @ApiOkResponse({
    type: MasterDataDto,
    description:
      'A company and its lists, of the same moment. One of more than 1,000 rows is null: it is read page by page.',
  })
  async read(@Param('companyId') companyId: string): Promise<MasterDataDto> {
    return this.readMasterData.readMasterData(companyId);
  }
}
