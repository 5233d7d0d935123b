import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { CreateVendor } from './create-vendor.js';
import { VendorRepository } from './vendor.repository.js';
import { VendorsController } from './vendors.controller.js';

@Module({
  imports: [CompaniesModule],
  controllers: [VendorsController],
  providers: [CreateVendor, VendorRepository],
  exports: [VendorRepository],
})
export class VendorsModule {}
