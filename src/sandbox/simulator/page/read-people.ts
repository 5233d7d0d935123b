import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { EmployeeRepository } from '../employees/employee.repository.js';
import type { SignInView } from './sign-in.page.js';

const PEOPLE_SHOWN = 1_000;

/** Reads who can sign in at the page: the people of all companies. */
@Injectable()
export class ReadPeople {
  constructor(
    private readonly companies: CompanyRepository,
    private readonly employees: EmployeeRepository,
    private readonly database: Database,
  ) {}

  async run(): Promise<Omit<SignInView, 'notice'>> {
    return this.database.inTransaction('read people for the page', async (tx) => ({
      companies: await this.companies.findAll(tx),
      people: await this.employees.findFirst(tx, PEOPLE_SHOWN),
    }));
  }
}
