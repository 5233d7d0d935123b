import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Database } from '../../../foundation/database/database.js';
import { isUuid } from '../../../kernel/ids.js';
import { CompanyRepository, type Company } from '../companies/company.repository.js';
import { EmployeeRepository, type Employee } from '../employees/employee.repository.js';

const COOKIE = 'simulator_visitor';

/** The person who looks at the page. */
export interface Visitor {
  readonly company: Company;
  /** Unset: a bookkeeper without a name, of a company that has no employees. */
  readonly person: Employee | undefined;
}

/** Ids of the company and the person that the cookie names, whether they exist or not. */
export function visitOf({ headers: { cookie = '' } }: FastifyRequest): readonly string[] {
  return (new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(cookie)?.[1] ?? '').split('.');
}

/** The name that the page shows for the visitor. */
export function visitorName({ company, person }: Visitor): string {
  return person === undefined ? company.name : `${personName(person)}, ${company.name}`;
}

export function personName({ firstName, lastName }: Pick<Employee, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim();
}

/**
 * Who is signed in to the page. A sandbox has no passwords: the cookie names a company and one of its people, and any visitor
 * may pick any of them.
 */
@Injectable()
export class PageSession {
  constructor(
    private readonly companyRepository: CompanyRepository,
    private readonly employeeRepository: EmployeeRepository,
    private readonly database: Database,
  ) {}

  /** @returns the person who is signed in; undefined when there is none or the company no longer exists */
  async visitor(request: FastifyRequest): Promise<Visitor | undefined> {
    const [companyId = '', personId = ''] = visitOf(request);
    if (!isUuid(companyId)) {
      return undefined;
    }
    return this.database.inTransaction('find visitor of page', async (tx) => {
      const [company] = await this.companyRepository.findByIds(tx, [companyId]);
      const people = isUuid(personId) ? await this.employeeRepository.findByIds(tx, [personId]) : [];
      const person = people.find((employee) => employee.companyId === companyId);
      return company === undefined ? undefined : { company, person };
    });
  }

  /** @param personId of an employee of the company */
  signIn(reply: FastifyReply, companyId: string, personId: string | undefined): void {
    const value = [companyId, ...(personId === undefined ? [] : [personId])].join('.');
    void reply.header('set-cookie', `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict`);
  }

  signOut(reply: FastifyReply): void {
    void reply.header('set-cookie', `${COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`);
  }
}
