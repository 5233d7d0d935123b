import { Module } from '@nestjs/common';
import { FailureSwitches } from './failure-switches.js';
import { FailureSwitchRepository } from './failure-switch.repository.js';

/** Failure switches of requests. */
@Module({
  providers: [FailureSwitches, FailureSwitchRepository],
  exports: [FailureSwitches],
})
export class FailuresModule {}
