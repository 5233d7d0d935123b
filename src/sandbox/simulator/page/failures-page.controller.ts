import { Body, Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import { BackgroundWork } from '../background-work.js';
import { ChangeSettings } from '../clock/change-settings.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { ControlGuard } from '../control/control.guard.js';
import { failureSchema } from '../control/failure-request.js';
import { switchNumber } from '../control/switch-request.js';
import { DeliverNotifications } from '../deliveries/deliver-notifications.js';
import { DeliveryRepository } from '../deliveries/delivery.repository.js';
import { FORGERIES } from '../deliveries/notification-message.js';
import { WEBHOOK_EFFECTS, WebhookSwitchRepository } from '../deliveries/webhook-switch.repository.js';
import { FailureSwitches } from '../failures/failure-switches.js';
import { parseBody } from '../wire/parse-request.js';
import { deliveriesPage } from './deliveries.page.js';
import { failuresPage } from './failures.page.js';
import { PageActions } from './page-actions.js';
import { PageResponse } from './page-response.js';
import { PageSession, visitorName } from './page-session.js';

const SHOWN = 50;
const DELIVERIES = '/page/deliveries';
const FAILURES = '/page/failures';
const deliverySchema = z.object({ webhook_id: z.string().max(100) });
const forgerySchema = deliverySchema.extend({ forgery: z.enum(FORGERIES) });
/** A field left empty is not there. */
const number = z
  .string()
  .regex(/^\d{0,9}$/, 'is a whole number')
  .optional()
  .transform((text) => (text === undefined || text === '' ? undefined : Number(text)));
const failureForm = z.object({
  path: z.string(),
  effect: z.enum(['before', 'after']),
  status: number,
  retry_after: z.string().optional(),
  delay_ms: number,
  truncate_at: number,
  answer: z.string().optional(),
  percent: number,
  seed: number,
  times: number,
});
const webhookForm = z.object({ effect: z.enum(WEBHOOK_EFFECTS), times: number });
const settingsForm = z.object({
  retrySchedule: z.string(),
  webhookTimestamp: z.string(),
  webhookBody: z.string(),
  refreshRotation: z.string(),
  requestsPerMinute: number,
});

/** What goes wrong on purpose, and the notifications that went out. */
@ApiExcludeController()
@Controller('page')
@UseGuards(ControlGuard)
export class FailuresPageController {
  constructor(
    private readonly pageSession: PageSession,
    private readonly pageActions: PageActions,
    private readonly deliveryRepository: DeliveryRepository,
    private readonly deliverNotifications: DeliverNotifications,
    private readonly failureSwitches: FailureSwitches,
    private readonly webhookSwitchRepository: WebhookSwitchRepository,
    private readonly settings: ChangeSettings,
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly backgroundWork: BackgroundWork,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  @Get('deliveries')
  @PageResponse()
  async showDeliveries(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const visitor = await this.pageSession.visitor(request);
    if (visitor === undefined) {
      void reply.redirect('/', 303);
      return '';
    }
    const deliveries = await this.database.inTransaction('read deliveries', (tx) =>
      this.deliveryRepository.readLog(tx, visitor.company.id, SHOWN),
    );
    const notice = this.pageActions.noticeOf(request);
    return deliveriesPage({ visitor: visitorName(visitor), notice, deliveries });
  }

  @Get('failures')
  @PageResponse()
  async showFailures(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const visitor = await this.pageSession.visitor(request);
    if (visitor === undefined) {
      void reply.redirect('/', 303);
      return '';
    }
    const stored = await this.database.inTransaction('read failures', async (tx) => ({
      settings: await this.simulatorStateRepository.readSettings(tx),
      webhookFailures: await this.webhookSwitchRepository.lockAll(tx),
    }));
    return failuresPage({
      ...stored,
      visitor: visitorName(visitor),
      notice: this.pageActions.noticeOf(request),
      now: this.simulatorClock.now(),
      offsetSeconds: this.simulatorClock.offsetSeconds,
      failures: this.failureSwitches.all(),
    });
  }

  @Post('deliveries/resend')
  async resend(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, DELIVERIES, () =>
      this.deliverNotifications.resend(parseBody(deliverySchema, body).webhook_id),
    );
  }

  @Post('deliveries/replay')
  async replay(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, DELIVERIES, () =>
      this.deliverNotifications.replay(parseBody(deliverySchema, body).webhook_id),
    );
  }

  @Post('deliveries/forge')
  async forge(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, DELIVERIES, () => {
      const { webhook_id: webhookId, forgery } = parseBody(forgerySchema, body);
      return this.deliverNotifications.forge(webhookId, forgery);
    });
  }

  @Post('clock')
  async moveClock(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES, async () => {
      const { advance_seconds: seconds = 0 } = parseBody(z.object({ advance_seconds: number }), body);
      await this.simulatorClock.moveTo(this.simulatorClock.offsetMs + seconds * 1000);
      this.backgroundWork.wake();
    });
  }

  @Post('failures')
  async addFailure(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES, () => {
      const form = parseBody(failureForm, body);
      const fresh = parseBody(failureSchema, {
        path: form.path,
        effect: form.effect,
        status: form.status ?? null,
        retryAfter: filled(form.retry_after),
        delayMs: form.delay_ms,
        truncateAt: form.truncate_at ?? null,
        answer: filled(form.answer),
        percent: form.percent,
        seed: form.seed,
        times: form.times ?? null,
      });
      return this.failureSwitches.add([fresh]);
    });
  }

  @Post('failures/remove')
  async removeFailure(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES, () =>
      this.failureSwitches.remove(switchNumber(parseBody(z.object({ id: z.string() }), body).id)),
    );
  }

  @Post('webhook-failures')
  async addWebhookFailure(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES, () => {
      const { effect, times } = parseBody(webhookForm, body);
      const forgery = effect === 'forge' ? ('wrong_secret' as const) : null;
      const plan = { delaySeconds: 5, skip: 0, percent: 100, seed: 1, timesLeft: times ?? null };
      return this.database.inTransaction('add webhook switch', (tx) =>
        this.webhookSwitchRepository.add(tx, { effect, forgery, ...plan }),
      );
    });
  }

  @Post('webhook-failures/remove')
  async removeWebhookFailure(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES, () => {
      const id = switchNumber(parseBody(z.object({ id: z.string() }), body).id);
      return this.database.inTransaction('remove webhook switch', (tx) =>
        this.webhookSwitchRepository.remove(tx, id),
      );
    });
  }

  @Post('settings')
  async changeSettings(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES, () => {
      const form = parseBody(settingsForm, body);
      return this.settings.change({ ...form, requestsPerMinute: form.requestsPerMinute ?? null });
    });
  }
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
