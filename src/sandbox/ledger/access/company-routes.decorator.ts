import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { CompanyGuard } from './company.guard.js';

/**
 * For controllers below `companies/:companyId`: the company has to exist. Their module imports `CompaniesModule`.
 * @param tag heading of the routes in the OpenAPI page
 */
export const CompanyRoutes = (tag: string): ClassDecorator =>
  applyDecorators(ApiTags(tag), ApiBearerAuth(), UseGuards(CompanyGuard));
