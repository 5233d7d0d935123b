import { Module } from '@nestjs/common';
import { BodiesUnderWay } from './bodies-under-way.js';
import { RateLimiter } from './rate-limiter.plugin.js';
import { RequestQuotaRepository } from './request-quota.repository.js';
import { SharedQuota } from './shared-quota.js';

@Module({
  providers: [BodiesUnderWay, RateLimiter, RequestQuotaRepository, SharedQuota],
  exports: [BodiesUnderWay, SharedQuota],
})
export class LimitsModule {}
