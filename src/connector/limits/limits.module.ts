import { Module } from '@nestjs/common';
import { LimitRequests } from './limit-requests.js';
import { QuestionsService } from './questions.service.js';
import { RequestAllowanceRepository } from './request-allowance.repository.js';
import { SharedAllowance } from './shared-allowance.js';

@Module({
  providers: [LimitRequests, QuestionsService, RequestAllowanceRepository, SharedAllowance],
  exports: [QuestionsService],
})
export class LimitsModule {}
