import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { PagingModule } from '../paging/paging.module.js';
import { ChangeVendor } from './change-vendor.js';
import { CreateVendor } from './create-vendor.js';
import { VendorRepository } from './vendor.repository.js';
import { VendorController } from './vendor.controller.js';

/** Vendors (P6). */
@Module({
  imports: [CompaniesModule, DeliveriesModule, PagingModule],
  controllers: [VendorController],
  providers: [ChangeVendor, CreateVendor, VendorRepository],
  exports: [CreateVendor, VendorRepository],
})
export class VendorsModule {}
