import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { ApiKeyReader } from './api-key.reader.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ChangeApiKeys } from './change-api-keys.js';

@Module({
  imports: [CompaniesModule],
  controllers: [ApiKeysController],
  providers: [ApiKeyReader, ApiKeyRepository, ChangeApiKeys],
  exports: [ApiKeyReader, ChangeApiKeys],
})
export class ApiKeysModule {}
