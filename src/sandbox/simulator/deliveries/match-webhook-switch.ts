import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { counted, isMatched } from '../failures/domain/switch-plan.js';
import { seededShare } from '../failures/seeded-share.js';
import { WebhookSwitchRepository, type WebhookSwitch } from './webhook-switch.repository.js';

@Injectable()
export class MatchWebhookSwitch {
  constructor(
    private readonly webhookSwitchRepository: WebhookSwitchRepository,
    private readonly database: Database,
  ) {}

  /** The oldest switch that an attempt meets, counted as met; the older ones count it as seen. */
  async match(): Promise<WebhookSwitch | undefined> {
    return this.database.inTransaction('meet webhook switch', async (tx) => {
      for (const one of await this.webhookSwitchRepository.lockAll(tx)) {
        const share = seededShare(one.seed, `webhook switch ${one.id.toString()} ${one.seen.toString()}`);
        const met = isMatched(one, share);
        await this.webhookSwitchRepository.count(tx, counted(one, met));
        if (met) {
          return one;
        }
      }
      return undefined;
    });
  }
}
