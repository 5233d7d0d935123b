import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { EmployeeRepository } from '../employees/employee.repository.js';
import type { SignInView } from './sign-in.page.js';

const PEOPLE_SHOWN = 1_000;

/** Reads who can sign in at the page: the people of all companies. */
@Injectable()
export class LoadSignInView {
  constructor(
    private readonly companyRepository: CompanyRepository,
    private readonly employeeRepository: EmployeeRepository,
    private readonly database: Database,
  ) {}

  async loadView(): Promise<Omit<SignInView, 'notice'>> {
    return this.database.inTransaction('read people for the page', async (tx) => ({
      companies: await this.companyRepository.findAll(tx),
      people: await this.employeeRepository.findFirst(tx, PEOPLE_SHOWN),
    }));
  }
}
