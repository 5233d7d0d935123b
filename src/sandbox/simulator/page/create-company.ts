import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { EmployeeRepository } from '../employees/employee.repository.js';

export interface NewCompany {
  readonly name: string;
  /** ISO 4217 code of the wallet. */
  readonly currency: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Creates a company with a wallet, its contra account and one bookkeeper. */
@Injectable()
export class CreateCompany {
  constructor(
    private readonly companyRepository: CompanyRepository,
    private readonly employeeRepository: EmployeeRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @returns ids of the company and of its bookkeeper */
  async create(request: NewCompany): Promise<{ readonly companyId: string; readonly personId: string }> {
    const company = companyOf(request);
    const person = bookkeeperOf(company.id, request);
    await this.database.inTransaction('create company', async (tx) => {
      const now = this.simulatorClock.now();
      await this.companyRepository.add(tx, [company], now);
      await this.employeeRepository.add(tx, [person], now);
    });
    return { companyId: company.id, personId: person.id };
  }
}

function companyOf({ name, currency }: NewCompany) {
  return {
    id: randomUUID(),
    organizationId: randomUUID(),
    name,
    registrationNumber: null,
    timeZone: 'UTC',
    address: {},
    multiCurrency: false,
    contraAccounts: {
      [currency]: { id: randomUUID(), name: `${currency} wallet`, code: '1010', identifier: null },
    },
  };
}

function bookkeeperOf(companyId: string, { firstName, lastName }: NewCompany) {
  const id = randomUUID();
  return {
    id,
    companyId,
    email: `${id}@people.example`,
    firstName,
    lastName,
    code: null,
    jobTitle: 'Bookkeeper',
    phone: null,
  };
}
