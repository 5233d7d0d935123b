import { Module } from '@nestjs/common';
import { RateLimiter } from './rate-limiter.js';
import { InteractiveRequestsService } from './interactive-requests.service.js';
import { RequestQuotaRepository } from './request-quota.repository.js';
import { SharedQuota } from './shared-quota.js';

@Module({
  providers: [RateLimiter, InteractiveRequestsService, RequestQuotaRepository, SharedQuota],
  exports: [InteractiveRequestsService],
})
export class LimitsModule {}
