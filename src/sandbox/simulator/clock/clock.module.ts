import { Global, Module } from '@nestjs/common';
import { SystemClock } from '../../../foundation/clock/system-clock.js';
import { SimulatorStateRepository } from './simulator-state.repository.js';
import { SimulatorClock } from './simulator-clock.js';
import { SettingsReader } from './settings.reader.js';
import { BackgroundSignal } from './background-signal.js';

/** The simulator’s clock, its settings and the signal that wakes background work. Every feature needs them. */
@Global()
@Module({
  providers: [SystemClock, SimulatorStateRepository, SimulatorClock, SettingsReader, BackgroundSignal],
  exports: [SystemClock, SimulatorStateRepository, SimulatorClock, SettingsReader, BackgroundSignal],
})
export class ClockModule {}
