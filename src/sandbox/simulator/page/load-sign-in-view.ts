import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { EmployeeRepository } from '../employees/employee.repository.js';
import type { SignInView } from './views/sign-in.page.js';

const MAX_PEOPLE = 1_000;

/** Reads the people who can sign in to the page: those of all companies. */
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
      people: await this.employeeRepository.findFirst(tx, MAX_PEOPLE),
    }));
  }
}
