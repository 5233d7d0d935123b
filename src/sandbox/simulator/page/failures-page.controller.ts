import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { failureSchema } from '../control/failure-request.js';
import { switchNumber } from '../control/switch-request.js';
import { WEBHOOK_EFFECTS } from '../deliveries/webhook-switch.repository.js';
import { WebhookSwitches } from '../deliveries/webhook-switches.js';
import { FailureSwitches } from '../failures/failure-switches.js';
import { parseBody } from '../wire/parse-request.js';
import { failuresPage } from './views/failures.page.js';
import { FAILURES_PATH, numberField } from './form-fields.js';
import { LoadFailuresView } from './load-failures-view.js';
import { PageActions } from './page-actions.js';
import { PageResponse } from './page-response.js';
import { visitorName } from './page-session.js';

const failureForm = z.object({
  path: z.string(),
  effect: z.enum(['before', 'after']),
  status: numberField,
  retry_after: z.string().optional(),
  delay_ms: numberField,
  truncate_at: numberField,
  answer: z.string().optional(),
  percent: numberField,
  seed: numberField,
  times: numberField,
});
const webhookForm = z.object({ effect: z.enum(WEBHOOK_EFFECTS), times: numberField });
const idForm = z.object({ id: z.string() });

/** The failure switches, and the forms that add and remove one. */
@ApiExcludeController()
@ControlApi()
@Controller('page')
export class FailuresPageController {
  constructor(
    private readonly pageActions: PageActions,
    private readonly loadFailuresView: LoadFailuresView,
    private readonly failureSwitches: FailureSwitches,
    private readonly webhookSwitches: WebhookSwitches,
  ) {}

  @Get('failures')
  @PageResponse()
  async showFailures(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return this.pageActions.show(request, reply, async (visitor, notice) =>
      failuresPage({ ...(await this.loadFailuresView.loadView()), visitor: visitorName(visitor), notice }),
    );
  }

  @Post('failures')
  async addFailure(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES_PATH, () => {
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
    await this.pageActions.perform(reply, FAILURES_PATH, () =>
      this.failureSwitches.remove(switchNumber(parseBody(idForm, body).id)),
    );
  }

  @Post('webhook-failures')
  async addWebhookFailure(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES_PATH, () => {
      const { effect, times } = parseBody(webhookForm, body);
      const forgery = effect === 'forge' ? ('wrong_secret' as const) : null;
      const plan = { delaySeconds: 5, skip: 0, percent: 100, seed: 1, timesLeft: times ?? null };
      return this.webhookSwitches.add({ effect, forgery, ...plan });
    });
  }

  @Post('webhook-failures/remove')
  async removeWebhookFailure(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES_PATH, () => {
      return this.webhookSwitches.remove(switchNumber(parseBody(idForm, body).id));
    });
  }
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
