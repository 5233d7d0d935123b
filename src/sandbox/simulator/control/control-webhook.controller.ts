import { Body, Controller, Delete, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { DeliverNotifications } from '../deliveries/deliver-notifications.js';
import { FORGERIES } from '../deliveries/notification-message.js';
import {
  WEBHOOK_EFFECTS,
  WebhookSwitchRepository,
  type WebhookSwitch,
} from '../deliveries/webhook-switch.repository.js';
import { newSigningSecret } from '../subscriptions/signing-secret.js';
import { SubscriptionRepository } from '../subscriptions/subscription.repository.js';
import { notFound } from '../wire/api-error.js';
import { parseBody, parseUuid } from '../wire/parse-request.js';
import { ControlGuard } from './control.guard.js';
import { planFields, switchNumber } from './switch-request.js';

const MAX_DELAY_SECONDS = 86_400;
const forgery = z.enum(FORGERIES);
const switchSchema = z
  .object({
    effect: z.enum(WEBHOOK_EFFECTS),
    forgery: forgery.optional(),
    delaySeconds: z.int().min(1).max(MAX_DELAY_SECONDS).default(5),
    ...planFields,
  })
  .transform(({ times, ...given }) => ({
    ...given,
    timesLeft: times,
    forgery: given.effect === 'forge' ? (given.forgery ?? ('wrong_secret' as const)) : null,
  }));
const rotationSchema = z.object({
  overlapSeconds: z.int().min(0).max(MAX_DELAY_SECONDS).default(MAX_DELAY_SECONDS),
});

/** Misbehavior of notifications, by switch and by hand; rotation of the secrets that sign them. */
@Controller('control')
@UseGuards(ControlGuard)
export class ControlWebhookController {
  constructor(
    private readonly webhookSwitchRepository: WebhookSwitchRepository,
    private readonly deliverNotifications: DeliverNotifications,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  @Get('webhook-failures')
  async show(): Promise<readonly WebhookSwitch[]> {
    return this.database.inTransaction('show webhook switches', (tx) =>
      this.webhookSwitchRepository.lockAll(tx),
    );
  }

  @Post('webhook-failures')
  async add(@Body() body: unknown): Promise<WebhookSwitch> {
    const fresh = parseBody(switchSchema, body);
    return this.database.inTransaction('add webhook switch', (tx) =>
      this.webhookSwitchRepository.add(tx, fresh),
    );
  }

  @Delete('webhook-failures')
  @HttpCode(204)
  async removeAll(): Promise<void> {
    await this.database.inTransaction('remove webhook switches', (tx) =>
      this.webhookSwitchRepository.remove(tx, undefined),
    );
  }

  @Delete('webhook-failures/:id')
  @HttpCode(204)
  async remove(@Param('id') id: string): Promise<void> {
    const number = switchNumber(id);
    await this.database.inTransaction('remove webhook switch', (tx) =>
      this.webhookSwitchRepository.remove(tx, number),
    );
  }

  @Post('deliveries/:webhookId/resend')
  @HttpCode(200)
  async resend(@Param('webhookId') webhookId: string): Promise<object> {
    return this.deliverNotifications.resend(webhookId);
  }

  @Post('deliveries/:webhookId/replay')
  @HttpCode(200)
  async replay(@Param('webhookId') webhookId: string): Promise<object> {
    return this.deliverNotifications.replay(webhookId);
  }

  @Post('deliveries/:webhookId/forge')
  @HttpCode(200)
  async forge(@Param('webhookId') webhookId: string, @Body() body: unknown): Promise<object> {
    const given = parseBody(z.object({ forgery: forgery.default('wrong_secret') }), body ?? {});
    return this.deliverNotifications.forge(webhookId, given.forgery);
  }

  /** The platform publishes no way for an integration to rotate, so a person at the platform does. */
  @Post('subscriptions/:id/rotate-secret')
  @HttpCode(200)
  async rotateSecret(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    const { overlapSeconds } = parseBody(rotationSchema, body ?? {});
    const subscriptionId = parseUuid('id', id);
    const secret = newSigningSecret();
    const previousSecretUntil = new Date(this.simulatorClock.now().getTime() + overlapSeconds * 1000);
    await this.database.inTransaction('rotate secret', async (tx) => {
      if (
        !(await this.subscriptionRepository.rotateSecret(tx, subscriptionId, secret, previousSecretUntil))
      ) {
        throw notFound('SUBSCRIPTION_NOT_FOUND', 'Subscription not found.');
      }
    });
    return { secretKey: secret, previousSecretUntil };
  }
}
