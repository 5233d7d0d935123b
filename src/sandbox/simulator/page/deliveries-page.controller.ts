import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { DeliveryReader } from '../deliveries/delivery.reader.js';
import { FORGERIES } from '../deliveries/notification-message.js';
import { ResendNotification } from '../deliveries/resend-notification.js';
import { parseBody } from '../wire/parse-request.js';
import { deliveriesPage } from './views/deliveries.page.js';
import { PageActions } from './page-actions.js';
import { PageResponse } from './page-response.js';
import { visitorName } from './page-session.js';

const MAX_DELIVERIES = 50;
const DELIVERIES = '/page/deliveries';
const deliverySchema = z.object({ webhook_id: z.string().max(100) });
const forgerySchema = deliverySchema.extend({ forgery: z.enum(FORGERIES) });

/** The notifications of a company, and the forms that send one again. */
@ApiExcludeController()
@ControlApi()
@Controller('page/deliveries')
export class DeliveriesPageController {
  constructor(
    private readonly pageActions: PageActions,
    private readonly deliveryReader: DeliveryReader,
    private readonly resendNotification: ResendNotification,
  ) {}

  @Get()
  @PageResponse()
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return this.pageActions.show(request, reply, async (visitor, notice) =>
      deliveriesPage({
        visitor: visitorName(visitor),
        notice,
        deliveries: await this.deliveryReader.log(visitor.company.id, MAX_DELIVERIES),
      }),
    );
  }

  @Post('resend')
  async resend(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, DELIVERIES, () =>
      this.resendNotification.resend(parseBody(deliverySchema, body).webhook_id),
    );
  }

  @Post('replay')
  async replay(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, DELIVERIES, () =>
      this.resendNotification.replay(parseBody(deliverySchema, body).webhook_id),
    );
  }

  @Post('forge')
  async forge(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, DELIVERIES, () => {
      const { webhook_id: webhookId, forgery } = parseBody(forgerySchema, body);
      return this.resendNotification.forge(webhookId, forgery);
    });
  }
}
