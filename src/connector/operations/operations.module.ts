import { Module } from '@nestjs/common';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { WorkerRegistry } from '../tasks/worker-registry.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CustomerReader } from './customer.reader.js';
import { DeadLetterReader } from './dead-letter.reader.js';
import { PauseCustomer } from './pause-customer.js';
import { ReplayDeadLetter } from './replay-dead-letter.js';
import { RetryJob } from './retry-job.js';

@Module({
  imports: [ExportsModule, InstallationsModule, WebhooksModule],
  providers: [CustomerReader, DeadLetterReader, PauseCustomer, ReplayDeadLetter, RetryJob, WorkerRegistry],
  exports: [CustomerReader, DeadLetterReader, PauseCustomer, ReplayDeadLetter, RetryJob, WorkerRegistry],
})
export class OperationsModule {}
