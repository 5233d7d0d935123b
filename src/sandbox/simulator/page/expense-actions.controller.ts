import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { AddItems } from '../exports/add-items.js';
import { ChangeItem } from '../exports/change-item.js';
import { parseBody } from '../wire/parse-request.js';
import { expenseSchema, expenseText } from './new-expense.js';
import { PageActions } from './page-actions.js';

/** The forms that create and delete expenses. */
@ApiExcludeController()
@ControlApi()
@Controller('page/expenses')
export class ExpenseActionsController {
  constructor(
    private readonly pageActions: PageActions,
    private readonly addItems: AddItems,
    private readonly changeItem: ChangeItem,
  ) {}

  @Post()
  async createExpense(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', async ({ company, person }) => {
      const text = expenseText(parseBody(expenseSchema, body), randomUUID(), person);
      await this.addItems.addItems(company.id, `[${text}]`, 'as_documented');
    });
  }

  @Post('remove')
  async removeExpense(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', async () => {
      await this.changeItem.remove(parseBody(z.object({ item_id: z.guid() }), body).item_id);
    });
  }
}
