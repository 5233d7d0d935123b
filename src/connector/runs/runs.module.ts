import { Module } from '@nestjs/common';
import { ProcessDueRuns } from './process-due-runs.js';
import { WakeDue } from './wake-due.js';

@Module({ providers: [ProcessDueRuns, WakeDue], exports: [ProcessDueRuns, WakeDue] })
export class RunsModule {}
