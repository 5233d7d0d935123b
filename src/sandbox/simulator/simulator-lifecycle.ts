import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { BackgroundWork } from './background/background-work.js';
import { LoadState } from './control/load-state.js';
import { RequestLog } from './request-log/request-log.js';

/**
 * The order of starting and stopping: state before the first request, background work after it; at the end background
 * work, then the server, then the log of its last requests, then the database.
 */
@Injectable()
export class SimulatorLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  constructor(
    private readonly loadState: LoadState,
    private readonly backgroundWork: BackgroundWork,
    private readonly requestLog: RequestLog,
    private readonly database: Database,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.loadState.load();
  }

  onApplicationBootstrap(): void {
    this.backgroundWork.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.backgroundWork.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.requestLog.settled();
    await this.database.close();
  }
}
