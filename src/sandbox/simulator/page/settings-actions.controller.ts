import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { BackgroundSignal } from '../clock/background-signal.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ChangeSettings } from '../control/change-settings.js';
import { parseBody } from '../wire/parse-request.js';
import { FAILURES_PATH, numberField } from './form-fields.js';
import { PageActions } from './page-actions.js';

const settingsForm = z.object({
  retrySchedule: z.string(),
  webhookTimestamp: z.string(),
  webhookBody: z.string(),
  refreshRotation: z.string(),
  requestsPerMinute: numberField,
});

/** The forms that move the clock and change the settings. */
@ApiExcludeController()
@ControlApi()
@Controller('page')
export class SettingsActionsController {
  constructor(
    private readonly pageActions: PageActions,
    private readonly changeSettings: ChangeSettings,
    private readonly backgroundSignal: BackgroundSignal,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  @Post('clock')
  async moveClock(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES_PATH, async () => {
      const { advance_seconds: seconds = 0 } = parseBody(z.object({ advance_seconds: numberField }), body);
      await this.simulatorClock.moveTo(this.simulatorClock.offsetMs + seconds * 1000);
      this.backgroundSignal.wake();
    });
  }

  @Post('settings')
  async saveSettings(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.perform(reply, FAILURES_PATH, () => {
      const form = parseBody(settingsForm, body);
      return this.changeSettings.change({ ...form, requestsPerMinute: form.requestsPerMinute ?? null });
    });
  }
}
