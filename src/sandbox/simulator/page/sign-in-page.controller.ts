import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { parseBody } from '../wire/parse-request.js';
import { currencyField, textField } from '../wire/request-fields.js';
import { CreateCompany } from './create-company.js';
import { PageActions } from './page-actions.js';
import { PageSession } from './page-session.js';

const visitorSchema = z.object({
  visitor: z
    .string()
    .transform((text) => text.split('.'))
    .pipe(z.tuple([z.guid()], z.guid()).refine((ids) => ids.length <= 2, 'names no person')),
});
const companySchema = z.object({
  name: textField.min(1).max(100),
  first_name: textField.min(1).max(50),
  last_name: textField.min(1).max(50),
  currency: currencyField,
});

/** The forms that sign in, sign out and create a company. */
@ApiExcludeController()
@ControlApi()
@Controller('page')
export class SignInPageController {
  constructor(
    private readonly pageSession: PageSession,
    private readonly pageActions: PageActions,
    private readonly createCompany: CreateCompany,
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
  async addCompany(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, '/', async () => {
      const { name, currency, first_name, last_name } = parseBody(companySchema, body);
      const { companyId, personId } = await this.createCompany.create({
        name,
        currency,
        firstName: first_name,
        lastName: last_name,
      });
      this.pageSession.signIn(reply, companyId, personId);
    });
  }
}
