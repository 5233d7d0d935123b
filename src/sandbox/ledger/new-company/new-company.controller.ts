import { Body, Controller, Get, Header, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { isTimeZone } from '../../../kernel/local-date.js';
import { Public } from '../access/public.decorator.js';
import { LedgerConfig } from '../ledger-config.js';
import { CreateCompany } from './create-company.js';
import { createdCompanyPage, newCompanyPage, type Entered } from './new-company.page.js';
import { NEW_COMPANY_PATH } from './new-company.path.js';

const HTML = 'text/html; charset=utf-8';
const text = z
  .string()
  .max(2_000)
  .transform((value) => value.trim())
  .catch('');
const enteredSchema = z.object({
  name: text,
  functionalCurrency: text.transform((code) => code.toUpperCase()),
  timeZone: text,
});
const keySchema = z.object({ key: z.string().max(2_000) }).catch({ key: '' });

/** A form for people; programs use `PUT /companies/{companyId}`. The main key opens it, as it opens that. */
@ApiExcludeController()
@Public()
@Controller(NEW_COMPANY_PATH)
export class NewCompanyController {
  constructor(
    private readonly ledgerConfig: LedgerConfig,
    private readonly createCompany: CreateCompany,
  ) {}

  @Get()
  @Header('content-type', HTML)
  show(): string {
    return newCompanyPage({ name: '', functionalCurrency: 'EUR', timeZone: 'Europe/Berlin' });
  }

  /** What is wrong is shown with the form (400, 401 for the key), and nothing is created. */
  @Post()
  async create(@Body() form: unknown, @Res() reply: FastifyReply): Promise<void> {
    const entered = enteredSchema.parse(form ?? {});
    const isOpen = isSameSecret(this.ledgerConfig.apiKey.reveal(), keySchema.parse(form).key);
    const problem = isOpen ? problemOf(entered) : 'This is not the main key of the ledger.';
    if (problem !== undefined) {
      await reply
        .status(isOpen ? 400 : 401)
        .type(HTML)
        .send(newCompanyPage(entered, problem));
      return;
    }
    const { apiKey } = await this.createCompany.create(entered);
    await reply
      .status(201)
      .type(HTML)
      .send(createdCompanyPage(entered.name, apiKey, this.ledgerConfig.url));
  }
}

function problemOf({ name, functionalCurrency, timeZone }: Entered): string | undefined {
  if (name.length === 0 || name.length > 255 || name.includes('\0')) {
    return 'Enter a name of at most 255 characters.';
  }
  if (parseCurrency(functionalCurrency) === undefined) {
    return 'Enter a currency by its three letters, such as EUR.';
  }
  return isTimeZone(timeZone) ? undefined : 'Choose a time zone of the list, such as Europe/Berlin.';
}
