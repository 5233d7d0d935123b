import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { companiesOfQuery } from '../companies/company-access.js';
import { ReadPage } from '../paging/read-page.js';
import { dataOf, pageOf } from '../wire/response-schemas.js';
import {
  JsonResponse,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import { EmployeeReader } from './employee.reader.js';
import { EMPLOYEE_COLUMNS, employeeResponseSchema, EmployeeRepository, employeeWire } from './employee.repository.js';

const READ = 'users:read';

/** Employees (P8). The one list whose company parameter is written in camel case. */
@PlatformApi('employees')
@Controller('v2/employees')
export class EmployeeController {
  constructor(
    private readonly employeeRepository: EmployeeRepository,
    private readonly employeeReader: EmployeeReader,
    private readonly readPage: ReadPage,
  ) {}

  @Get()
  @RequiresScope(READ)
  @OptionalQuery('companyId', { type: 'string', format: 'uuid' })
  @OptionalQuery('email')
  @OptionalQuery('code')
  @PagingParameters(EMPLOYEE_COLUMNS)
  @JsonResponse(pageOf(employeeResponseSchema))
  async list(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const companyIds = companiesOfQuery(caller, query, 'companyId');
    const filter = { email: queryValue(query, 'email'), code: queryValue(query, 'code') };
    return this.readPage.respond(query, this.employeeRepository.listOf(companyIds, filter), employeeWire);
  }

  @Get(':employeeId')
  @ErrorResponses(404)
  @RequiresScope(READ)
  @JsonResponse(dataOf(employeeResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('employeeId') id: string): Promise<object> {
    return { data: employeeWire(await this.employeeReader.find(caller, id)) };
  }
}
