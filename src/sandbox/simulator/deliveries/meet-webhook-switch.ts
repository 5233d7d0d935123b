import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { counted, isMet } from '../failures/domain/switch-plan.js';
import { seededShare } from '../failures/seeded-share.js';
import { WebhookSwitchRepository, type WebhookSwitch } from './webhook-switch.repository.js';

@Injectable()
export class MeetWebhookSwitch {
  constructor(
    private readonly switches: WebhookSwitchRepository,
    private readonly database: Database,
  ) {}

  /** The oldest switch that an attempt meets, counted as met; the older ones count it as seen. */
  async run(): Promise<WebhookSwitch | undefined> {
    return this.database.inTransaction('meet webhook switch', async (tx) => {
      for (const one of await this.switches.takeAll(tx)) {
        const share = seededShare(one.seed, `webhook switch ${one.id.toString()} ${one.seen.toString()}`);
        const met = isMet(one, share);
        await this.switches.count(tx, counted(one, met));
        if (met) {
          return one;
        }
      }
      return undefined;
    });
  }
}
