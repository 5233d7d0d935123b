import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { RequestLogRepository, type LoggedRequest } from './request-log.repository.js';

/** A log that lacks its end after a crash of the database is none the worse. */
const WITHOUT_WAIT = { synchronous_commit: 'off' };

/** Writes requests in order after their responses; a reader waits until all are written. */
@Injectable()
export class RequestLog {
  private waiting: LoggedRequest[] = [];
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly requestLogRepository: RequestLogRepository,
    private readonly database: Database,
    private readonly appLogger: AppLogger,
  ) {}

  add(request: LoggedRequest): void {
    this.waiting.push(request);
    if (this.waiting.length === 1) {
      this.writing = this.writing.then(() => this.write());
    }
  }

  /** Oldest first, after the request with the id `after`. */
  async read(after: number, limit: number) {
    await this.settled();
    return this.database.inTransaction('read requests', (tx) => this.requestLogRepository.read(tx, after, limit));
  }

  async settled(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    const requests = this.waiting;
    this.waiting = [];
    await this.database
      .planningOnce(
        'log requests',
        (tx) => {
          this.requestLogRepository.add(tx, requests);
        },
        WITHOUT_WAIT,
      )
      .catch((error: unknown) => {
        this.appLogger.of('request-log').error({ err: error }, 'request_log.lost');
      });
  }
}
