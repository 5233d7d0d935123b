import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { RequestLimits } from './request-limits.js';
import { SharedQuota } from './shared-quota.js';

/**
 * How often the people of one installation may have the platform asked, whoever they are. What all of them take together of
 * the platform's request budget is bounded there.
 */
@Injectable()
export class InteractiveRequestsService {
  constructor(
    private readonly requestLimits: RequestLimits,
    private readonly sharedQuota: SharedQuota,
  ) {}

  /** @returns 0 when the platform may be asked, else the milliseconds until it may be again */
  async consume(installationId: InstallationId): Promise<number> {
    return this.sharedQuota.consume(`questions ${installationId}`, this.requestLimits.interactivePerMinute);
  }
}
