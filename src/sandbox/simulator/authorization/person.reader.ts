import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { isUuid } from '../../../kernel/ids.js';
import { EmployeeRepository } from '../employees/employee.repository.js';
import { personOf, type SimulatedPerson } from './persons.js';

/** People who may sign in at the platform: the predefined ones, and the employees of every company. */
@Injectable()
export class PersonReader {
  constructor(
    private readonly employeeRepository: EmployeeRepository,
    private readonly database: Database,
  ) {}

  /** @returns undefined when there is no such person */
  async find(id: string): Promise<SimulatedPerson | undefined> {
    return personOf(id) ?? this.findEmployee(id, () => true);
  }

  /** @returns undefined when the company has no such person */
  async findOfCompany(companyId: string, id: string): Promise<SimulatedPerson | undefined> {
    return this.findEmployee(id, (employer) => employer === companyId);
  }

  private async findEmployee(
    id: string,
    isRight: (companyId: string) => boolean,
  ): Promise<SimulatedPerson | undefined> {
    if (!isUuid(id)) {
      return undefined;
    }
    const [found] = await this.database.inTransaction('find person', (tx) =>
      this.employeeRepository.findByIds(tx, [id]),
    );
    return found === undefined || !isRight(found.companyId)
      ? undefined
      : { id, name: `${found.firstName} ${found.lastName}`.trim(), email: found.email };
  }
}
