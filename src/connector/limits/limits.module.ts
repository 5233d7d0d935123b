import { Module } from '@nestjs/common';
import { RateLimiter } from './rate-limiter.plugin.js';
import { RequestQuotaRepository } from './request-quota.repository.js';
import { SharedQuota } from './shared-quota.js';

@Module({
  providers: [RateLimiter, RequestQuotaRepository, SharedQuota],
  exports: [SharedQuota],
})
export class LimitsModule {}
