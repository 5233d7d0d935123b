import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { companiesOf, CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { ReadPage } from '../paging/read-page.js';
import { dataOf, pageOf } from '../wire/response-schemas.js';
import {
  EmptyResponse,
  JsonResponse,
  JsonBody,
  PagingParameters,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { parseBody, type Query as QueryParameters } from '../wire/parse-request.js';
import {
  accountResponseSchema,
  accountBatchResponseSchema,
  accountBatchSchema,
  accountSearchSchema,
  accountUpdateSchema,
  accountWire,
  newAccountSchema,
} from './account.js';
import { ACCOUNT_COLUMNS, AccountRepository } from './account.repository.js';
import { ChangeAccount } from './change-account.js';
import { CreateAccountBatch } from './create-account-batch.js';
import { CreateAccount } from './create-account.js';

const READ = 'accounts:read';
const WRITE = 'accounts:write';

/** The chart of accounts (P4). */
@PlatformApi('chart of accounts')
@Controller('v1')
export class AccountController {
  constructor(
    private readonly createAccount: CreateAccount,
    private readonly createAccountBatch: CreateAccountBatch,
    private readonly changeAccount: ChangeAccount,
    private readonly accountRepository: AccountRepository,
    private readonly readPage: ReadPage,
  ) {}

  /** Answers 201, and 200 when the very same account is there already. */
  @Post('chart-of-accounts')
  @ErrorResponses(409)
  @RequiresScope(WRITE)
  @JsonBody(newAccountSchema)
  @JsonResponse(dataOf(accountResponseSchema), 200)
  @JsonResponse(dataOf(accountResponseSchema), 201)
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { account, isNew } = await this.createAccount.createAccount(caller, parseBody(newAccountSchema, body));
    void reply.status(isNew ? 201 : 200);
    return { data: accountWire(account) };
  }

  @Post('chart-of-accounts/batch')
  @RequiresScope(WRITE)
  @JsonBody(accountBatchSchema)
  @JsonResponse(accountBatchResponseSchema, 201)
  async createMany(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const { companyId, items } = parseBody(accountBatchSchema, body);
    const { created, failed } = await this.createAccountBatch.createBatch(caller, companyId, items);
    return { data: { created: created.map(accountWire), failed } };
  }

  // A literal colon is written twice in a route pattern.
  @Post('chart-of-accounts::search')
  @HttpCode(200)
  @RequiresScope(READ)
  @JsonBody(accountSearchSchema)
  @PagingParameters(ACCOUNT_COLUMNS)
  @JsonResponse(pageOf(accountResponseSchema))
  async search(
    @CurrentCaller() caller: Caller,
    @Query() query: QueryParameters,
    @Body() body: unknown,
  ): Promise<object> {
    const search = parseBody(accountSearchSchema, body);
    companiesOf(caller, search.companyId);
    return this.readPage.respond(query, this.accountRepository.listOf(search), accountWire);
  }

  @Get('chart-of-accounts/:accountId')
  @ErrorResponses(404)
  @RequiresScope(READ)
  @JsonResponse(dataOf(accountResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('accountId') id: string): Promise<object> {
    return { data: accountWire(await this.changeAccount.find(caller, id)) };
  }

  @Put('chart-of-accounts/:accountId')
  @ErrorResponses(404)
  @RequiresScope(WRITE)
  @JsonBody(accountUpdateSchema)
  @JsonResponse(dataOf(accountResponseSchema))
  async update(
    @CurrentCaller() caller: Caller,
    @Param('accountId') id: string,
    @Body() body: unknown,
  ): Promise<object> {
    const update = parseBody(accountUpdateSchema, body);
    return { data: accountWire(await this.changeAccount.update(caller, id, update)) };
  }

  @Delete('chart-of-accounts/:accountId')
  @ErrorResponses(404, 409)
  @HttpCode(204)
  @RequiresScope(WRITE)
  @EmptyResponse(204)
  async remove(@CurrentCaller() caller: Caller, @Param('accountId') id: string): Promise<void> {
    await this.changeAccount.remove(caller, id);
  }
}
