import { Body, Controller, Post, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { ControlGuard } from '../control/control.guard.js';
import { EmployeeRepository } from '../employees/employee.repository.js';
import { parseBody } from '../wire/parse-request.js';
import { textField } from '../wire/request-fields.js';
import { PageActions } from './page-actions.js';
import { PageSession } from './page-session.js';

const visitorSchema = z.object({
  visitor: z
    .string()
    .transform((text) => text.split('.'))
    .pipe(z.tuple([z.uuid()], z.uuid()).refine((ids) => ids.length <= 2, 'is nobody')),
});
const companySchema = z.object({
  name: textField.min(1).max(100),
  first_name: textField.min(1).max(50),
  last_name: textField.min(1).max(50),
  currency: z.string().regex(/^[A-Z]{3}$/, 'is three capital letters'),
});

/** Who looks at the page. */
@ApiExcludeController()
@Controller('page')
@UseGuards(ControlGuard)
export class SignInPageController {
  constructor(
    private readonly pageSession: PageSession,
    private readonly pageActions: PageActions,
    private readonly companyRepository: CompanyRepository,
    private readonly employeeRepository: EmployeeRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  @Post('sign-in')
  async signIn(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, '/', async () => {
      const [companyId, personId] = parseBody(visitorSchema, body).visitor;
      this.pageSession.signIn(reply, companyId, personId);
      return Promise.resolve();
    });
  }

  @Post('sign-out')
  async signOut(@Res() reply: FastifyReply): Promise<void> {
    this.pageSession.signOut(reply);
    await reply.redirect('/', 303);
  }

  @Post('companies')
  async createCompany(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, '/', async () => {
      const given = parseBody(companySchema, body);
      const company = newCompany(given.name, given.currency);
      const person = newPerson(company.id, given.first_name, given.last_name);
      await this.database.inTransaction('create company', async (tx) => {
        const now = this.simulatorClock.now();
        await this.companyRepository.add(tx, [company], now);
        await this.employeeRepository.add(tx, [person], now);
      });
      this.pageSession.signIn(reply, company.id, person.id);
    });
  }
}

function newCompany(name: string, currency: string) {
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

function newPerson(companyId: string, firstName: string, lastName: string) {
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
