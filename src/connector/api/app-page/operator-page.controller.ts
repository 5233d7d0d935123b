import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { BuiltPage } from './built-page.js';

/**
 * The page for operators. Like the page for bookkeepers it holds no data: it exchanges a token for a session, and reads everything
 * by `/api/v1/operator`.
 */
@ApiExcludeController()
@Controller('operator')
export class OperatorPageController {
  private readonly page = new BuiltPage('operator.html');

  @Get(['', '*'])
  @Access('public')
  async show(@Res() reply: FastifyReply): Promise<void> {
    await this.page.send(reply);
  }
}
