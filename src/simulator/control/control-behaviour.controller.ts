import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../../foundation/database/database.js';
import { BackgroundWork } from '../background-work.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorStateRepository, type SimulatorSettings } from '../clock/simulator-state.repository.js';
import type { FailureSwitch } from '../failures/failure-switch.repository.js';
import { FailureSwitches } from '../failures/failure-switches.js';
import { ResetSimulator } from '../reset-simulator.js';
import { badParameter } from '../wire/api-error.js';
import { parseBody } from '../wire/parse-request.js';
import { ControlGuard } from './control.guard.js';

const LONGEST_DELAY_MS = 120_000;
const MOST_ACTIVE = 100_000;
const clockSchema = z.union([
  z.object({ advanceSeconds: z.number() }).strict(),
  z.object({ offsetSeconds: z.number() }).strict(),
]);
const settingsSchema = z.object({
  retrySchedule: z.enum(['nine_attempts', 'eight_attempts']).optional(),
  webhookTime: z.enum(['system', 'simulator']).optional(),
  largestPage: z.int().min(1).max(1_000).optional(),
  mostActiveTagGroups: z.int().min(1).max(MOST_ACTIVE).optional(),
  mostActiveTags: z.int().min(1).max(MOST_ACTIVE).optional(),
});
const failureSchema = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).nullable().default(null),
  path: z.string().startsWith('/'),
  effect: z.enum(['before', 'after']).default('before'),
  status: z.int().min(200).max(599).nullable().default(null),
  retryAfter: z.string().nullable().default(null),
  delayMs: z.int().min(0).max(LONGEST_DELAY_MS).default(0),
  truncateAt: z.int().min(0).nullable().default(null),
  times: z.int().min(1).nullable().default(null),
});

/** How the simulator itself behaves: time, settings, failures, a fresh start. */
@Controller('control')
@UseGuards(ControlGuard)
export class ControlBehaviourController {
  constructor(
    private readonly clock: SimulatorClock,
    private readonly states: SimulatorStateRepository,
    private readonly failures: FailureSwitches,
    private readonly background: BackgroundWork,
    private readonly reset: ResetSimulator,
    private readonly database: Database,
  ) {}

  @Get('clock')
  showClock(): object {
    return { now: this.clock.now().toISOString(), offsetSeconds: this.clock.offsetMs / 1000 };
  }

  @Post('clock')
  @HttpCode(200)
  async moveClock(@Body() body: unknown): Promise<object> {
    const move = parseBody(clockSchema, body);
    const offsetMs =
      'advanceSeconds' in move ? this.clock.offsetMs + move.advanceSeconds * 1000 : move.offsetSeconds * 1000;
    await this.clock.moveTo(Math.round(offsetMs));
    this.background.wake();
    return this.showClock();
  }

  @Get('settings')
  async showSettings(): Promise<SimulatorSettings> {
    return this.database.inTransaction('show settings', (tx) => this.states.readSettings(tx));
  }

  @Put('settings')
  async changeSettings(@Body() body: unknown): Promise<SimulatorSettings> {
    const given = parseBody(settingsSchema, body);
    return this.database.inTransaction('change settings', async (tx) => {
      const current = await this.states.readSettings(tx);
      const changed = {
        retrySchedule: given.retrySchedule ?? current.retrySchedule,
        webhookTime: given.webhookTime ?? current.webhookTime,
        largestPage: given.largestPage ?? current.largestPage,
        mostActiveTagGroups: given.mostActiveTagGroups ?? current.mostActiveTagGroups,
        mostActiveTags: given.mostActiveTags ?? current.mostActiveTags,
      };
      await this.states.writeSettings(tx, changed);
      return changed;
    });
  }

  @Get('failures')
  showFailures(): readonly FailureSwitch[] {
    return this.failures.all();
  }

  @Post('failures')
  async addFailure(@Body() body: unknown): Promise<FailureSwitch> {
    const { times, ...fresh } = parseBody(failureSchema, body);
    return this.failures.add({ ...fresh, timesLeft: times });
  }

  @Delete('failures')
  @HttpCode(204)
  async removeFailures(): Promise<void> {
    await this.failures.remove();
  }

  @Delete('failures/:id')
  @HttpCode(204)
  async removeFailure(@Param('id') id: string): Promise<void> {
    if (!/^\d{1,15}$/.test(id)) {
      throw badParameter('id: is not the number of a switch');
    }
    await this.failures.remove(Number(id));
  }

  @Post('reset')
  @HttpCode(204)
  async startAfresh(): Promise<void> {
    await this.reset.reset();
    this.background.wake();
  }
}
