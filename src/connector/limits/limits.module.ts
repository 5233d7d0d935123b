import { Module } from '@nestjs/common';
import { LimitRequests } from './limit-requests.js';
import { RequestAllowanceRepository } from './request-allowance.repository.js';
import { SharedAllowance } from './shared-allowance.js';

@Module({
  providers: [LimitRequests, RequestAllowanceRepository, SharedAllowance],
})
export class LimitsModule {}
