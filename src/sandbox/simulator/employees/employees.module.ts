import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { EmployeeReader } from './employee.reader.js';
import { EmployeeRepository } from './employee.repository.js';
import { EmployeeController } from './employee.controller.js';

/** Employees (P8). */
@Module({
  imports: [PagingModule],
  controllers: [EmployeeController],
  providers: [EmployeeReader, EmployeeRepository],
  exports: [EmployeeRepository],
})
export class EmployeesModule {}
