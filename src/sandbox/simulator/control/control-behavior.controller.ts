import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { BackgroundSignal } from '../clock/background-signal.js';
import { SettingsReader } from '../clock/settings.reader.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import type { SimulatorSettings } from '../clock/simulator-settings.js';
import type { FailureSwitch } from '../failures/failure-switch.repository.js';
import { FailureSwitches } from '../failures/failure-switches.js';
import { ResetSimulator } from './reset-simulator.js';
import { parseBody } from '../wire/parse-request.js';
import { ChangeSettings } from './change-settings.js';
import { failureSchema } from './failure-request.js';
import { switchNumber } from './switch-request.js';

const MAX_SWITCHES = 1_000;
const clockSchema = z.union([
  z.strictObject({ advanceSeconds: z.number() }),
  z.strictObject({ offsetSeconds: z.number() }),
]);
const scriptSchema = z.array(failureSchema).max(MAX_SWITCHES);

/** The behavior of the simulator itself: time, settings, failures, reset. */
@ControlApi()
@Controller('control')
export class ControlBehaviorController {
  constructor(
    private readonly simulatorClock: SimulatorClock,
    private readonly settingsReader: SettingsReader,
    private readonly changeSettings: ChangeSettings,
    private readonly failureSwitches: FailureSwitches,
    private readonly resetSimulator: ResetSimulator,
    private readonly backgroundSignal: BackgroundSignal,
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
      'advanceSeconds' in move ? this.simulatorClock.offsetMs + move.advanceSeconds * 1000 : move.offsetSeconds * 1000;
    await this.simulatorClock.moveTo(Math.round(offsetMs));
    this.backgroundSignal.wake();
    return this.showClock();
  }

  @Get('settings')
  async showSettings(): Promise<SimulatorSettings> {
    return this.settingsReader.read();
  }

  @Put('settings')
  async putSettings(@Body() body: unknown): Promise<SimulatorSettings> {
    return this.changeSettings.change(parseBody(z.record(z.string(), z.unknown()), body));
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

  /** Replaces all switches by a whole script. */
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
  async reset(): Promise<void> {
    await this.resetSimulator.reset();
    this.backgroundSignal.wake();
  }
}
