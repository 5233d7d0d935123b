import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import { BackgroundWork } from '../background-work.js';
import { ChangeSettings } from '../clock/change-settings.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import type { SimulatorSettings } from '../clock/simulator-settings.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import type { FailureSwitch } from '../failures/failure-switch.repository.js';
import { FailureSwitches } from '../failures/failure-switches.js';
import { ResetSimulator } from '../reset-simulator.js';
import { parseBody } from '../wire/parse-request.js';
import { ControlGuard } from './control.guard.js';
import { failureSchema } from './failure-request.js';
import { switchNumber } from './switch-request.js';

const MAX_SWITCHES = 1_000;
const clockSchema = z.union([
  z.object({ advanceSeconds: z.number() }).strict(),
  z.object({ offsetSeconds: z.number() }).strict(),
]);
const scriptSchema = z.array(failureSchema).max(MAX_SWITCHES);

/** How the simulator itself behaves: time, settings, failures, a fresh start. */
@Controller('control')
@UseGuards(ControlGuard)
export class ControlBehaviorController {
  constructor(
    private readonly simulatorClock: SimulatorClock,
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly failureSwitches: FailureSwitches,
    private readonly settings: ChangeSettings,
    private readonly backgroundWork: BackgroundWork,
    private readonly reset: ResetSimulator,
    private readonly database: Database,
  ) {}

  @Get('clock')
  showClock(): object {
    return {
      now: this.simulatorClock.now().toISOString(),
      offsetSeconds: this.simulatorClock.offsetMs / 1000,
    };
  }

  @Post('clock')
  @HttpCode(200)
  async moveClock(@Body() body: unknown): Promise<object> {
    const move = parseBody(clockSchema, body);
    const offsetMs =
      'advanceSeconds' in move
        ? this.simulatorClock.offsetMs + move.advanceSeconds * 1000
        : move.offsetSeconds * 1000;
    await this.simulatorClock.moveTo(Math.round(offsetMs));
    this.backgroundWork.wake();
    return this.showClock();
  }

  @Get('settings')
  async showSettings(): Promise<SimulatorSettings> {
    return this.database.inTransaction('show settings', (tx) =>
      this.simulatorStateRepository.readSettings(tx),
    );
  }

  @Put('settings')
  async changeSettings(@Body() body: unknown): Promise<SimulatorSettings> {
    return this.settings.change(parseBody(z.record(z.string(), z.unknown()), body));
  }

  @Get('failures')
  showFailures(): readonly FailureSwitch[] {
    return this.failureSwitches.all();
  }

  @Post('failures')
  async addFailure(@Body() body: unknown): Promise<FailureSwitch | undefined> {
    const [added] = await this.failureSwitches.add([parseBody(failureSchema, body)]);
    return added;
  }

  /** The whole script at once: the switches there were go. */
  @Put('failures')
  async replaceFailures(@Body() body: unknown): Promise<readonly FailureSwitch[]> {
    return this.failureSwitches.add(parseBody(scriptSchema, body), true);
  }

  @Delete('failures')
  @HttpCode(204)
  async removeFailures(): Promise<void> {
    await this.failureSwitches.remove();
  }

  @Delete('failures/:id')
  @HttpCode(204)
  async removeFailure(@Param('id') id: string): Promise<void> {
    await this.failureSwitches.remove(switchNumber(id));
  }

  @Post('reset')
  @HttpCode(204)
  async resetSimulator(): Promise<void> {
    await this.reset.reset();
    this.backgroundWork.wake();
  }
}
