import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { MainKeyOnly } from '../access/opened-company.js';
import { ApiKeysDto, CreatedApiKeyDto } from './api-key.dto.js';
import { ApiKeyReader } from './api-key.reader.js';
import { ChangeApiKeys } from './change-api-keys.js';

@CompanyRoutes('keys of a company (main key only)')
@MainKeyOnly()
@Controller('companies/:companyId/api-keys')
export class ApiKeysController {
  constructor(
    private readonly apiKeyReader: ApiKeyReader,
    private readonly changeApiKeys: ChangeApiKeys,
  ) {}

  @Get()
  @ApiOkResponse({ type: ApiKeysDto })
  async list(@Param('companyId') companyId: string): Promise<ApiKeysDto> {
    return { data: await this.apiKeyReader.list(companyId) };
  }

  /** Makes a key that opens this company alone, for all but its keys. */
  @Post()
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  @ApiConflictResponse({ description: 'The company has 20 keys.' })
  async create(@Param('companyId') companyId: string): Promise<CreatedApiKeyDto> {
    return this.changeApiKeys.create(companyId);
  }

  @Delete(':keyId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The key opens nothing any more.' })
  async delete(@Param('companyId') companyId: string, @Param('keyId') keyId: string): Promise<void> {
    await this.changeApiKeys.delete(companyId, keyId);
  }
}
