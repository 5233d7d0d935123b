import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { companiesOf, CurrentCaller, type Caller } from '../access/caller.js';
import { PlatformAccessGuard, RequiresScope } from '../access/platform-access.guard.js';
import { ReadPage } from '../paging/read-page.js';
import { dataOf, pageOf } from '../wire/response-schemas.js';
import {
  JsonResponse,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import {
  EMPLOYEE_COLUMNS,
  employeeResponseSchema,
  EmployeeRepository,
  employeeWire,
} from './employee.repository.js';

const READ = 'users:read';

/** Employees (P8). The one list whose company parameter is written in camel case. */
@PlatformApi('employees')
@Controller('v2/employees')
@UseGuards(PlatformAccessGuard)
export class EmployeeController {
  constructor(
    private readonly employeeRepository: EmployeeRepository,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  @Get()
  @RequiresScope(READ)
  @OptionalQuery('companyId', { type: 'string', format: 'uuid' })
  @OptionalQuery('email')
  @OptionalQuery('code')
  @PagingParameters(EMPLOYEE_COLUMNS)
  @JsonResponse(pageOf(employeeResponseSchema))
  async list(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const company = queryValue(query, 'companyId');
    const companyIds = companiesOf(
      caller,
      company === undefined ? undefined : parseUuid('companyId', company),
    );
    const filter = { email: queryValue(query, 'email'), code: queryValue(query, 'code') };
    return this.database.inTransaction('list employees', async (tx) => {
      const { rows, pagination } = await this.readPage.readPage(tx, query, {
        list: this.employeeRepository.listOf(companyIds, filter),
        columns: EMPLOYEE_COLUMNS,
        rows: (ids) => this.employeeRepository.findByIds(tx, ids),
      });
      return { data: rows.map(employeeWire), pagination };
    });
  }

  /** An employee of another company is forbidden rather than unknown: both answers are documented. */
  @Get(':employeeId')
  @ErrorResponses(404)
  @RequiresScope(READ)
  @JsonResponse(dataOf(employeeResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('employeeId') id: string): Promise<object> {
    const employeeId = parseUuid('employeeId', id);
    const [employee] = await this.database.inTransaction('get employee', (tx) =>
      this.employeeRepository.findByIds(tx, [employeeId]),
    );
    if (employee === undefined) {
      throw notFound('EMPLOYEE_NOT_FOUND', 'Employee not found.');
    }
    if (!caller.companyIds.includes(employee.companyId)) {
      throw new ApiError(403, 'FORBIDDEN', 'The credential gives no access to this employee.');
    }
    return { data: employeeWire(employee) };
  }
}
