import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { ResendNotification } from '../deliveries/resend-notification.js';
import { WebhookSwitches } from '../deliveries/webhook-switches.js';
import { FORGERIES } from '../deliveries/notification-message.js';
import { WEBHOOK_EFFECTS, type WebhookSwitch } from '../deliveries/webhook-switch.repository.js';
import { RotateSecret } from '../subscriptions/rotate-secret.js';
import { parseBody, parseUuid } from '../wire/parse-request.js';
import { planFields, switchNumber } from './switch-request.js';

const MAX_DELAY_SECONDS = 86_400;
const forgery = z.enum(FORGERIES);
const switchSchema = z
  .strictObject({
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
const rotationSchema = z.strictObject({
  overlapSeconds: z.int().min(0).max(MAX_DELAY_SECONDS).default(MAX_DELAY_SECONDS),
});

/** Failures of notifications, by switch and by hand; rotation of the secrets that sign them. */
@ControlApi()
@Controller('control')
export class ControlWebhookController {
  constructor(
    private readonly webhookSwitches: WebhookSwitches,
    private readonly resendNotification: ResendNotification,
    private readonly rotateSecret: RotateSecret,
  ) {}

  @Get('webhook-failures')
  async show(): Promise<readonly WebhookSwitch[]> {
    return this.webhookSwitches.all();
  }

  @Post('webhook-failures')
  async add(@Body() body: unknown): Promise<WebhookSwitch> {
    return this.webhookSwitches.add(parseBody(switchSchema, body));
  }

  @Delete('webhook-failures')
  @HttpCode(204)
  async removeAll(): Promise<void> {
    await this.webhookSwitches.remove();
  }

  @Delete('webhook-failures/:id')
  @HttpCode(204)
  async remove(@Param('id') id: string): Promise<void> {
    await this.webhookSwitches.remove(switchNumber(id));
  }

  @Post('deliveries/:webhookId/resend')
  @HttpCode(200)
  async resend(@Param('webhookId') webhookId: string): Promise<object> {
    return this.resendNotification.resend(webhookId);
  }

  @Post('deliveries/:webhookId/replay')
  @HttpCode(200)
  async replay(@Param('webhookId') webhookId: string): Promise<object> {
    return this.resendNotification.replay(webhookId);
  }

  @Post('deliveries/:webhookId/forge')
  @HttpCode(200)
  async forge(@Param('webhookId') webhookId: string, @Body() body: unknown): Promise<object> {
    const given = parseBody(z.strictObject({ forgery: forgery.default('wrong_secret') }), body ?? {});
    return this.resendNotification.forge(webhookId, given.forgery);
  }

  /** The platform documents no way for an integration to rotate its secret; a person at the platform does it. */
  @Post('subscriptions/:id/rotate-secret')
  @HttpCode(200)
  async rotate(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    const { overlapSeconds } = parseBody(rotationSchema, body ?? {});
    return this.rotateSecret.rotate(parseUuid('id', id), overlapSeconds);
  }
}
