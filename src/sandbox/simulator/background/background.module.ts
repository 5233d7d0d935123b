import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { BackgroundWork } from './background-work.js';

/** Work without a request: due notifications, expiring jobs. */
@Module({
  imports: [DeliveriesModule, ExportsModule],
  providers: [BackgroundWork],
  exports: [BackgroundWork],
})
export class BackgroundModule {}
