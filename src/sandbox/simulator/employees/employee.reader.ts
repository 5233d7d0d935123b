import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Caller } from '../access/caller.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import { EmployeeRepository, type Employee } from './employee.repository.js';

/** Reads one employee (P8). */
@Injectable()
export class EmployeeReader {
  constructor(
    private readonly employeeRepository: EmployeeRepository,
    private readonly database: Database,
  ) {}

  /**
   * An employee of another company is forbidden rather than unknown: both responses are documented.
   * @throws ApiError 404 for an unknown employee; 403 for one of another company; 400 when the id is no UUID
   */
  async find(caller: Caller, id: string): Promise<Employee> {
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
    return employee;
  }
}
