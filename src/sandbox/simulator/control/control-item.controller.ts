import { Controller, Delete, HttpCode, Param, Put, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ControlApi } from '../access/access-rules.js';
import { ChangeItem } from '../exports/change-item.js';
import { parseUuid, type Query as QueryParameters } from '../wire/parse-request.js';
import { itemCheck } from './item-check.js';

/** A person's changes of an existing expense. */
@ControlApi()
@Controller('control/items/:id')
export class ControlItemController {
  constructor(private readonly changeItem: ChangeItem) {}

  /** The body is kept as text, because a number of JavaScript does not hold every amount. */
  @Put()
  @HttpCode(204)
  @RouteConfig({ rawBody: true })
  async replace(
    @Param('id') id: string,
    @Query() query: QueryParameters,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const text = Buffer.isBuffer(request.body) ? request.body.toString() : '';
    await this.changeItem.replace(parseUuid('id', id), text, itemCheck(query));
  }

  @Delete()
  @HttpCode(204)
  async remove(@Param('id') id: string): Promise<void> {
    await this.changeItem.remove(parseUuid('id', id));
  }
}
