import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { RequestLimits } from './request-limits.js';
import { SharedAllowance } from './shared-allowance.js';

/**
 * How often the people of one installation may have the platform asked, whoever they are. What all of them take together of
 * the platform's request budget is bounded there.
 */
@Injectable()
export class QuestionsService {
  constructor(
    private readonly limits: RequestLimits,
    private readonly allowance: SharedAllowance,
  ) {}

  /** @returns 0 when the platform may be asked, else the milliseconds until it may be again */
  async take(installationId: InstallationId): Promise<number> {
    return this.allowance.take(`questions ${installationId}`, this.limits.questionsPerMinute);
  }
}
