import { Module } from '@nestjs/common';
import { RequestLog } from './request-log.js';
import { RequestLogRepository } from './request-log.repository.js';

/** The log of requests. */
@Module({
  providers: [RequestLog, RequestLogRepository],
  exports: [RequestLog],
})
export class RequestLogModule {}
